package dev.stowage.cli.input;

/**
 * What a record is called.
 *
 * @param id the id in its file, such as a tensor's index
 * @param name a name for people; the id where the file has none
 */
public record RecordLabel(String id, String name) {}
