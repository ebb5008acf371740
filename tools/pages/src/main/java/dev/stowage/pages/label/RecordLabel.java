package dev.stowage.pages.label;

import dev.stowage.plan.TensorUses;
import java.util.List;
import java.util.Optional;

/**
 * The id and the name of a record, and the properties of its tensor.
 *
 * @param id the id in the file, such as the index of a tensor
 * @param name the name for people; the id if the file has no name
 * @param shape the shape and the type of the tensor, if the file has them
 * @param uses the tasks that compute and read the tensor, if the file has operators
 * @param views the other tensors that share the record as views of the tensor or of each other
 */
public record RecordLabel(
    String id,
    String name,
    Optional<TypedShape> shape,
    Optional<TensorUses> uses,
    List<TensorView> views) {

  /** Creates the label of a record. */
  public RecordLabel {
    views = List.copyOf(views);
  }

  /** Creates the label of a record without a tensor of a model. */
  public RecordLabel(String id, String name) {
    this(id, name, Optional.empty());
  }

  /**
   * Creates the label of a record without uses.
   *
   * @param shape the shape and the type of the tensor, if the file has them
   */
  public RecordLabel(String id, String name, Optional<TypedShape> shape) {
    this(id, name, shape, Optional.empty(), List.of());
  }
}
