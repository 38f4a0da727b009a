"""What answers when there is no API key? A local server that speaks the Messages API from readable scenarios."""
