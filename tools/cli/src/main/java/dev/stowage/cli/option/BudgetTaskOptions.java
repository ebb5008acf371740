package dev.stowage.cli.option;

import dev.stowage.cli.budget.BudgetFit;
import dev.stowage.cli.budget.BudgetRequest;
import dev.stowage.cli.budget.Calibration;
import dev.stowage.cli.budget.CpuChoice;
import dev.stowage.cli.console.ByteCountConverter;
import dev.stowage.cli.console.ShortHelp;
import dev.stowage.cli.run.Diagnostics;
import dev.stowage.cli.run.Usage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
        "With --limit: the largest size of a dimension with a range that",
        "fits, or the largest number of sessions or threads."
      })
  private Optional<String> fit = Optional.empty();

  @Option(
      names = "--measure",
      description = {
        "Also run the model in five processes, and show the largest memory",
        "of them (on Linux)."
      })
  private boolean measure;

  @Option(
      names = "--profile",
      order = ShortHelp.RARE,
      paramLabel = "FILE",
      description = {
        "Write the sizes as functions of dimensions to FILE, for programs",
        "(ModelBudget.parse); one MODEL only."
      })
  private Optional<String> profile = Optional.empty();

  @Option(
      names = "--output",
      paramLabel = "PATH",
      description = {
        "Write an .html page with the parts, the curve over the shapes and",
        "the rules of services. With several MODELs, it has an index and the",
        "page of each."
      })
  private Optional<String> output = Optional.empty();

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  /**
   * {@return the service with the questions about it}
   *
   * @param calibration the constants of the machine
   */
  public BudgetRequest request(ServiceOptions service, Calibration calibration) {
    return service.request(calibration, limit, fit, measure);
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
    checkMeasured(service);
    checkFit(service);
    baseline.check(models, output.stream().toList());
    if (profile.isPresent() && models.size() > 1) {
      throw Usage.error(
          spec, "--profile has one MODEL, but there are %d, expected 1", models.size());
    }
    profile.ifPresent(path -> checkWritten("--profile", path, models));
    checkDifferent(written(baseline));
  }

  /** {@return the files that the command writes} */
  public List<String> written(BaselineOptions baseline) {
    List<String> written = new ArrayList<>();
    baseline.path().ifPresent(written::add);
    profile.ifPresent(written::add);
    output.ifPresent(written::add);
    return written;
  }

  /** Checks that a measurement is compared with a prediction for this machine. */
  private void checkMeasured(ServiceOptions service) {
    CpuChoice here = CpuChoice.ofThisMachine();
    Optional<CpuChoice> cpu = service.machine().cpu();
    if (measure && cpu.filter(given -> !given.name().equals(here.name())).isPresent()) {
      throw Usage.error(
          spec,
          "--measure runs the model on this machine, whose processor is of the class %s, expected no --cpu %s",
          here.name(),
          cpu.get().name());
    }
  }

  /** Checks that the command does not read the file that it writes. */
  private void checkWritten(String option, String path, List<String> models) {
    if (path.isBlank()) {
      throw Usage.error(spec, "%s is '%s', expected the path of a file", option, path);
    }
    if (models.stream().anyMatch(file -> Diagnostics.isSamePath(path, file))) {
      throw Usage.error(spec, "%s is '%s', which is a MODEL; use another name", option, path);
    }
  }

  /** Checks that no two options write the same file. */
  private void checkDifferent(List<String> written) {
    for (int i = 0; i < written.size(); i++) {
      String path = written.get(i);
      for (String other : written.subList(0, i)) {
        if (Diagnostics.isSamePath(other, path)) {
          throw Usage.error(spec, "two options write '%s'; use another name for one", path);
        }
      }
    }
  }

  private void checkFit(ServiceOptions service) {
    if (fit.isEmpty()) {
      return;
    }
    if (limit.isEmpty()) {
      throw Usage.error(spec, "--fit needs --limit, expected both");
    }
    String name = fit.get();
    boolean isCount = name.equals(BudgetFit.SESSIONS) || name.equals(BudgetFit.THREADS);
    if (!isCount && !service.hasRange(name)) {
      throw Usage.error(
          spec,
          "--fit names '%s', expected sessions, threads or a dimension to which --dim gives a range",
          name);
    }
  }
}
