package dev.stowage.cli.input;

/**
 * The id and the name of a record.
 *
 * @param id the id in the file, such as the index of a tensor
 * @param name the name for people; the id if the file has no name
 */
public record RecordLabel(String id, String name) {}
