package dev.stowage.fleet.item;

/**
 * An input of a sweep that has no items: a wrong line of a manifest, or a folder without models.
 *
 * @param key the unique name in the results
 * @param input the input as given
 * @param error the reason
 */
public record FailedInput(String key, String input, String error) {}
