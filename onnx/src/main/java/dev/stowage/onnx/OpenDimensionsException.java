package dev.stowage.onnx;

import java.io.IOException;
import java.util.List;

/** A model whose tensors have no sizes until its caller chooses some dimensions. */
public final class OpenDimensionsException extends IOException {

  private static final long serialVersionUID = 1L;

  private final String[] names;

  OpenDimensionsException(String message, List<String> names) {
    super(message);
    this.names = names.toArray(String[]::new);
  }

  /** {@return what to fix by {@link OnnxOptions#withDimension}, in the order of the file} */
  public List<String> names() {
    return List.of(names);
  }
}
