package dev.stowage.cli.option;

import dev.stowage.cli.budget.BudgetRequest;
import dev.stowage.cli.console.ByteCountConverter;
import dev.stowage.cli.console.ShortHelp;
import dev.stowage.cli.run.Diagnostics;
import dev.stowage.cli.run.Usage;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of {@code stowage budget} for the questions about a service, and for files. */
public final class BudgetTaskOptions {

  @Option(
      names = {"--limit", "--capacity"},
      paramLabel = "BYTES",
      converter = ByteCountConverter.class,
      description = {
        "Show which shapes need at most BYTES, such as 2GiB. Exit with 4 if",
        "none does."
      })
  private Optional<Long> limit = Optional.empty();

  @Option(
      names = "--fit",
      paramLabel = "NAME",
      description = {
        "With --limit: measure the largest size of a dimension with a range",
        "that fits."
      })
  private Optional<String> fit = Optional.empty();

  @Option(
      names = "--remedies",
      description = {
        "Also measure the load with settings that may need less: without the",
        "arena, with shrinking, with Stowage's allocator and others."
      })
  private boolean remedies;

  @Option(
      names = "--profile",
      order = ShortHelp.RARE,
      paramLabel = "FILE",
      description = {
        "Write the samples to FILE, for programs (ModelBudget.parse); one",
        "MODEL only."
      })
  private Optional<String> profile = Optional.empty();

  @Option(
      names = "--output",
      paramLabel = "PATH",
      description = {
        "Write an .html page with the parts and the curve over the shapes;",
        "one MODEL only."
      })
  private Optional<String> output = Optional.empty();

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  /**
   * {@return the service with the questions about it}
   *
   * @throws IOException if the engine is missing, or a file cannot be read
   */
  public BudgetRequest request(ServiceOptions service) throws IOException {
    return service.request(limit, new BudgetRequest.Tasks(remedies, fit, profile.isPresent()));
  }

  /** {@return the file of the profile, if requested} */
  public Optional<String> profile() {
    return profile;
  }

  /** {@return the page, if requested} */
  public Optional<String> output() {
    return output;
  }

  /**
   * Checks the options.
   *
   * @throws ParameterException if they contradict each other, others or the models
   */
  public void check(List<String> models, ServiceOptions service, BaselineOptions baseline) {
    checkFit(service);
    baseline.check(models, outputs());
    checkSingle("--profile", profile, models);
    checkSingle("--output", output, models);
    if (outputs().size() > 1 && Diagnostics.isSamePath(outputs().getFirst(), outputs().getLast())) {
      throw Usage.error(
          spec, "two options write '%s'; use another name for one", outputs().getFirst());
    }
  }

  private List<String> outputs() {
    return Stream.concat(profile.stream(), output.stream()).toList();
  }

  /** Checks that there is one model, which the command does not overwrite. */
  private void checkSingle(String option, Optional<String> path, List<String> models) {
    if (path.isPresent() && models.size() > 1) {
      throw Usage.error(
          spec, "%s has one MODEL, but there are %d, expected 1", option, models.size());
    }
    if (path.isPresent() && Diagnostics.isSamePath(path.get(), models.getFirst())) {
      throw Usage.error(spec, "%s is '%s', which is a MODEL; use another name", option, path.get());
    }
  }

  private void checkFit(ServiceOptions service) {
    if (fit.isPresent() && limit.isEmpty()) {
      throw Usage.error(spec, "--fit needs --limit, expected both");
    }
    if (fit.isPresent() && !service.hasRange(fit.get())) {
      throw Usage.error(
          spec,
          "--fit names '%s', expected a dimension to which --dim gives a range, such as %s=1..64",
          fit.get(),
          fit.get());
    }
  }
}
