package dev.stowage.pages.text;

/** A fact on the run of a command: a name, such as {@code input}, and its value. */
public record Fact(String term, String text) {}
