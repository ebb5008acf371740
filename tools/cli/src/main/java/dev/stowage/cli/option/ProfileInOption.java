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
        "enable_profiling)."
      })
  private Optional<String> file = Optional.empty();

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  /**
   * {@return the profile, if it is given}
   *
   * @throws ParameterException if there is not one .onnx model
   */
  public Optional<ProfileInput> of(List<String> models) {
    if (file.isEmpty()) {
      return Optional.empty();
    }
    if (models.size() != 1 || !models.getFirst().toLowerCase(Locale.ROOT).endsWith(".onnx")) {
      throw Usage.error(spec, "--profile-in is the profile of a session, expected one .onnx model");
    }
    return file.map(ProfileInput::new);
  }

  /** {@return the file, for messages; empty if it is not given} */
  public String path() {
    return file.orElse("");
  }

  /** {@return true if the option is given} */
  public boolean isGiven() {
    return file.isPresent();
  }

  /** Adds the file. */
  void addTo(RecordedOptions recorded) {
    file.ifPresent(path -> recorded.addPath("--profile-in", path));
  }
}
