"""From text to search words: tokens, sentences, passages, and what a question asks for."""
