package dev.stowage.pages.history;

/**
 * Successive events.
 *
 * @param firstEvent the first event
 * @param lastEvent the last event, inclusive
 */
public record EventRange(long firstEvent, long lastEvent) {}
