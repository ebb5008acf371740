package dev.stowage.cli.input;

import java.util.Optional;

/**
 * The id and the name of a record.
 *
 * @param id the id in the file, such as the index of a tensor
 * @param name the name for people; the id if the file has no name
 * @param shape the shape and the type of the tensor, if the file has them
 */
public record RecordLabel(String id, String name, Optional<TensorShape> shape) {

  /**
   * Creates the label of a record without a shape.
   *
   * @param id the id in the file
   * @param name the name for people
   */
  public RecordLabel(String id, String name) {
    this(id, name, Optional.empty());
  }
}
