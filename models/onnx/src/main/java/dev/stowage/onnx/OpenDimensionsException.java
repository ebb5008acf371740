package dev.stowage.onnx;

import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Thrown if the sizes of tensors depend on dimensions that the model leaves open.
 *
 * @serial exclude
 */
public final class OpenDimensionsException extends IOException {

  private static final long serialVersionUID = 1L;

  private final String[] names;

  private OpenDimensionsException(String message, List<String> names) {
    super(message);
    this.names = names.toArray(String[]::new);
  }

  /**
   * {@return an exception}
   *
   * @param source the name of the file
   * @param misnamed a sentence on dimensions that the model does not have
   * @param tensorCount the number of tensors with sizes that depend on open dimensions
   * @param names the open dimensions
   */
  static OpenDimensionsException of(
      String source, Optional<String> misnamed, int tensorCount, List<String> names) {
    return new OpenDimensionsException(
        String.format(
            Locale.ROOT,
            "%s: %s%s on open dimensions: %s",
            source,
            misnamed.map(sentence -> sentence + "; ").orElse(""),
            tensorCount == 1
                ? "the size of 1 tensor depends"
                : "the sizes of " + tensorCount + " tensors depend",
            names.stream().map(MalformedFileException::excerpt).collect(Collectors.joining(", "))),
        names);
  }

  /** {@return the open dimensions, in the order of the file} */
  public List<String> names() {
    return List.of(names);
  }
}
