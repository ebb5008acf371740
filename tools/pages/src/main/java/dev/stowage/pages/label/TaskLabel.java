package dev.stowage.cli.input;

/**
 * The operator of a task.
 *
 * @param operator the kind and the index, such as {@code CONV_2D 12}
 * @param name the name of the operator in the model; empty if it has none
 */
public record TaskLabel(String operator, String name) {}
