package dev.stowage.pages.label;

/**
 * A tensor that shares the record of another tensor as a view of it.
 *
 * @param name the name of the tensor
 * @param producer the task of the operator that makes the view
 */
public record TensorView(String name, int producer) {}
