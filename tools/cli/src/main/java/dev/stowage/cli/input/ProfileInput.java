package dev.stowage.cli.input;

import dev.stowage.onnx.OnnxOptions;
import dev.stowage.onnx.OnnxTensorType;
import dev.stowage.onnx.engine.MissingEngineException;
import dev.stowage.onnx.engine.ProfiledModel;
import dev.stowage.onnx.engine.RunShapes;
import dev.stowage.onnx.profile.ServiceProfile;
import dev.stowage.pages.text.Numbers;
import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The profile of a session of ONNX Runtime.
 *
 * @param path the file as on the command line
 */
public record ProfileInput(String path) {

  private static final int NAMED_SHAPES = 5;

  /**
   * {@return the model that the session ran, with its profile}
   *
   * @throws MalformedFileException if the file has another format, or the session ran another model
   * @throws MissingEngineException if ONNX Runtime is missing
   */
  public ProfiledModel of(Path model) throws IOException {
    try (Reader reader = TextInput.open(ExistingFile.of(path))) {
      return ProfiledModel.of(model, path, reader);
    } catch (CharacterCodingException e) {
      throw new MalformedFileException(path, "is not UTF-8, expected a profile of ONNX Runtime");
    } catch (LinkageError e) {
      throw new MissingEngineException(e);
    }
  }

  /**
   * {@return the largest run of a model in which the open dimensions have the sizes of the command
   * line}
   *
   * @param given the sizes of the command line
   * @throws MalformedFileException if there is no such run
   */
  public static RunShapes largest(ProfiledModel model, Map<String, Long> given) throws IOException {
    Optional<RunShapes> run = model.largest(given);
    if (run.isEmpty()) {
      List<Map<String, Long>> shapes = model.dimensions();
      throw new MalformedFileException(
          model.profile().source(),
          String.format(
              Locale.ROOT,
              "has no run with %s, expected one of %s%s%s",
              text(given),
              shapes.stream()
                  .limit(NAMED_SHAPES)
                  .map(ProfileInput::text)
                  .collect(Collectors.joining("; ")),
              shapes.size() > NAMED_SHAPES ? "; ..." : "",
              model.profile().counts().isShortened()
                  ? String.format(
                      Locale.ROOT,
                      " (only the %d largest shapes are kept)",
                      ServiceProfile.MAX_SHAPES)
                  : ""));
    }
    return run.get();
  }

  /** {@return the options of a reader of models, with the dimensions and types of a run} */
  static OnnxOptions with(OnnxOptions options, RunShapes run) {
    OnnxOptions all = options;
    for (Map.Entry<String, Long> dimension : run.dimensions().entrySet()) {
      all = all.withDimension(dimension.getKey(), dimension.getValue());
    }
    return withTypes(all, run);
  }

  /** {@return the options of a reader of models, with the types of tensors in a run} */
  public static OnnxOptions withTypes(OnnxOptions options, RunShapes run) {
    OnnxOptions all = options;
    for (String tensor : run.types().keySet()) {
      Optional<String> element = run.elementType(tensor);
      if (element.isPresent()) {
        all = all.withObservedType(tensor, new OnnxTensorType(run.shape(tensor), element.get()));
      }
    }
    return all;
  }

  /**
   * {@return sentences on the runs of a profile}
   *
   * @param run the run whose shapes are used
   */
  public static List<String> notes(ProfiledModel model, RunShapes run) throws IOException {
    ServiceProfile profile = model.profile();
    ServiceProfile.Counts counts = profile.counts();
    List<String> notes = new ArrayList<>();
    notes.add(
        String.format(
            Locale.ROOT,
            "%s has %s of %s; the largest tensors are those at %s; %d of %s are in the model",
            profile.source(),
            Numbers.count(counts.runCount(), "run"),
            (counts.isShortened() ? "more than " : "")
                + Numbers.count(profile.runs().size(), "shape"),
            text(run.dimensions()),
            model.foundCount(),
            Numbers.count(model.operatorCount(), "operator")));
    if (counts.isCut()) {
      notes.add(profile.source() + " ends within an event; its complete runs are used");
    }
    return notes;
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
