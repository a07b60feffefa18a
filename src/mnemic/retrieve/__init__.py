"""The one road out: everything that is read goes through here."""
