package dev.stowage.cli.input;

import dev.stowage.onnx.OnnxOptions;
import dev.stowage.onnx.OnnxTensorType;
import dev.stowage.onnx.engine.ProfiledRuns;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.io.Reader;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The sizes of tensors from the profile of a session of ONNX Runtime.
 *
 * @param options the options of a reader of models, with the dimensions and types of the run with
 *     the largest tensors
 * @param note a sentence on the run
 */
public record ProfileInput(OnnxOptions options, String note) {

  /**
   * {@return the sizes for a model}
   *
   * @param model the model as on the command line
   * @param path the profile as on the command line
   * @param given the options of the command line; their dimensions select a run
   * @throws MalformedFileException if the profile is not one of the model, or has no such run
   */
  public static ProfileInput read(String model, String path, OnnxOptions given) throws IOException {
    List<ProfiledRuns.Run> runs;
    try (Reader reader = TextInput.open(ExistingFile.of(path))) {
      runs = ProfiledRuns.read(ExistingFile.regular(model), path, reader);
    }
    for (ProfiledRuns.Run run : runs) {
      if (isAlike(given.dimensions(), run.dimensions())) {
        return new ProfileInput(
            with(given, run),
            Text.of(
                "%s has runs of %s; the largest tensors are those at %s",
                path, Numbers.count(runs.size(), "shape"), text(run.dimensions())));
      }
    }
    throw new MalformedFileException(
        path,
        Text.of(
            "has no run with %s, expected one of %s",
            text(given.dimensions()),
            runs.stream().map(run -> text(run.dimensions())).collect(Collectors.joining("; "))));
  }

  private static boolean isAlike(Map<String, Long> given, Map<String, Long> dimensions) {
    return given.entrySet().stream()
        .allMatch(each ->
            each.getValue().equals(dimensions.getOrDefault(each.getKey(), each.getValue())));
  }

  private static OnnxOptions with(OnnxOptions given, ProfiledRuns.Run run) {
    OnnxOptions all = given;
    for (var dimension : run.dimensions().entrySet()) {
      all = all.withDimension(dimension.getKey(), dimension.getValue());
    }
    for (var tensor : run.types().entrySet()) {
      OnnxTensorType type =
          new OnnxTensorType(tensor.getValue().shape(), tensor.getValue().elementType());
      all = all.withObservedType(tensor.getKey(), type);
    }
    return all;
  }

  /** {@return the dimensions of a run: {@code batch=16, seq=128}} */
  private static String text(Map<String, Long> dimensions) {
    return dimensions.isEmpty()
        ? "the only shape"
        : new TreeMap<>(dimensions)
            .entrySet().stream()
                .map(dimension -> dimension.getKey() + "=" + dimension.getValue())
                .collect(Collectors.joining(", "));
  }
}
