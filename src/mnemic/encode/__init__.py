"""The one road in: everything that is written goes through here."""
