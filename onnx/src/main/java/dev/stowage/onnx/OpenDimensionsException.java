package dev.stowage.onnx;

import java.io.IOException;
import java.util.List;

/** Thrown if the sizes of tensors depend on dimensions that the model leaves open. */
public final class OpenDimensionsException extends IOException {

  private static final long serialVersionUID = 1L;

  private final String[] names;

  OpenDimensionsException(String message, List<String> names) {
    super(message);
    this.names = names.toArray(String[]::new);
  }

  /** {@return the open dimensions, in the order of the file} */
  public List<String> names() {
    return List.of(names);
  }
}
