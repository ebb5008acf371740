package dev.stowage.cli.input;

import dev.stowage.onnx.OnnxOptions;
import dev.stowage.onnx.engine.ProfiledModel;
import dev.stowage.onnx.engine.RunShapes;
import java.io.IOException;
import java.util.List;

/**
 * The options of a reader of models for the largest run of a profile.
 *
 * @param options the options, with the dimensions and types of the run
 * @param notes sentences on the run
 */
public record ProfiledOptions(OnnxOptions options, List<String> notes) {

  /** Creates options. */
  public ProfiledOptions {
    notes = List.copyOf(notes);
  }

  /**
   * {@return the options for a model}
   *
   * @param path the model as on the command line
   * @param profile the profile
   * @param given the options of the command line
   * @throws dev.stowage.plan.MalformedFileException if the profile is not one of the model, or has
   *     no run with the dimensions of the command line
   */
  public static ProfiledOptions of(String path, ProfileInput profile, OnnxOptions given)
      throws IOException {
    ProfiledModel model = profile.of(ExistingFile.regular(path));
    RunShapes run = ProfileInput.largest(model, given.dimensions());
    return new ProfiledOptions(ProfileInput.with(given, run), ProfileInput.notes(model, run));
  }
}
