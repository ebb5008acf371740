package dev.stowage.cli.option;

import dev.stowage.cli.console.ShortHelp;
import dev.stowage.cli.input.ProfileInput;
import dev.stowage.cli.run.Usage;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The option for the profile of a session that ran the model. */
public final class ProfileInOption {

  @Option(
      names = "--profile-in",
      order = ShortHelp.RARE,
      paramLabel = "FILE",
      description = {
        "Take open dimensions and sizes that depend on data from a profile",
        "that ONNX Runtime wrote for the .onnx model (session option",
        "enable_profiling). Repeat it with the node memory statistics of the",
        "session for workspaces in stowage budget."
      })
  private List<String> files = List.of();

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  /**
   * {@return the profile, if it is given}
   *
   * @throws ParameterException if there is not one .onnx model
   */
  public Optional<ProfileInput> of(List<String> models) {
    if (files.isEmpty()) {
      return Optional.empty();
    }
    if (models.size() != 1 || !models.getFirst().toLowerCase(Locale.ROOT).endsWith(".onnx")) {
      throw Usage.error(spec, "--profile-in is the profile of a session, expected one .onnx model");
    }
    return Optional.of(new ProfileInput(files));
  }

  /** {@return the first file, for messages} */
  public String path() {
    return files.getFirst();
  }

  /** {@return true if the option is given} */
  public boolean isGiven() {
    return !files.isEmpty();
  }

  /** Adds the files. */
  void addTo(RecordedOptions recorded) {
    for (int i = 0; i < files.size(); i++) {
      recorded.addPath(i == 0 ? "--profile-in" : "--profile-in " + (i + 1), files.get(i));
    }
  }
}
