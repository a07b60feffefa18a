"""What a caller does with a mind beyond remembering: feedback, working memory, reminders."""
