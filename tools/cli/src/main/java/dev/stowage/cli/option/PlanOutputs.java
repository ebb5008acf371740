package dev.stowage.cli.option;

import dev.stowage.cli.banks.BankFiles;
import dev.stowage.cli.banks.BankReport;
import dev.stowage.cli.console.ShortHelp;
import dev.stowage.cli.output.PlanFiles;
import dev.stowage.cli.output.ShapesFiles;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.cli.plan.ShapesReport;
import dev.stowage.cli.run.OutputFiles;
import dev.stowage.cli.run.Usage;
import dev.stowage.pages.text.RunFacts;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of {@code stowage plan} for files with plans. */
public final class PlanOutputs {

  @Option(
      names = "--output",
      paramLabel = "PATH",
      description = {
        "Write the best offsets plan to a .csv, .json, .html, .svg or .h file.",
        "An .html file also has the other strategies. With several FILEs, it",
        "has an index and the page of each. Repeatable."
      })
  private List<String> paths = List.of();

  @Option(
      names = "--unpinned",
      order = ShortHelp.RARE,
      description = {
        "Write .csv and .json files without offsets: the problem instead of",
        "the plan."
      })
  private boolean isUnpinned;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  /** {@return the paths of the files} */
  public List<String> paths() {
    return paths;
  }

  /**
   * Checks the options.
   *
   * @param inputs the files to plan
   * @param planning the plans
   * @throws ParameterException if the options contradict each other, the inputs or the plans
   */
  public void check(List<String> inputs, PlanningOptions planning) {
    OutputFiles.check(paths, inputs, !planning.isBanked(), spec);
    if (isUnpinned && planning.isBanked()) {
      throw Usage.error(spec, "--unpinned writes problems for one memory; omit it, or omit --bank");
    }
    if (isUnpinned && paths.stream().noneMatch(PlanOutputs::isProblem)) {
      throw Usage.error(
          spec, "--unpinned needs an --output with a name that ends in .csv or .json");
    }
    if (!paths.isEmpty() && planning.isObjects()) {
      throw Usage.error(
          spec, "--output writes an offsets plan, which --kind objects does not plan");
    }
  }

  private static boolean isProblem(String path) {
    String name = path.toLowerCase(Locale.ROOT);
    return name.endsWith(".csv") || name.endsWith(".json");
  }

  /**
   * {@return the files for an input of one shape}
   *
   * @param facts returns the facts of the run on a report, for pages
   */
  public OutputFiles<PlanReport> planFiles(Function<PlanReport, RunFacts> facts) {
    return OutputFiles.of(
        paths,
        path -> isUnpinned ? PlanFiles.ofUnpinned(path, facts) : PlanFiles.of(path, facts),
        ".csv, .json, .html, .svg or .h",
        spec);
  }

  /**
   * {@return the files for an input of several shapes; the others do not apply}
   *
   * @param facts returns the facts of the run on a report, for pages
   */
  public OutputFiles<ShapesReport> shapesFiles(Function<ShapesReport, RunFacts> facts) {
    return OutputFiles.of(
        shapesPaths(), path -> ShapesFiles.of(path, facts), ".csv, .json or .html", spec);
  }

  /**
   * {@return the files for an input with several memories}
   *
   * @param facts returns the facts of the run on a report, for pages
   */
  public OutputFiles<BankReport> bankFiles(Function<BankReport, RunFacts> facts) {
    return OutputFiles.of(
        paths, path -> BankFiles.of(path, facts), ".csv, .json, .html or .h with --bank", spec);
  }

  /** {@return an option that an input of several shapes does not have; empty if there is none} */
  public String withoutShapes() {
    if (shapesPaths().size() < paths.size()) {
      return "an --output other than .csv, .json or .html";
    }
    return isUnpinned ? "--unpinned" : "";
  }

  private List<String> shapesPaths() {
    return paths.stream()
        .filter(path -> ShapesFiles.of(path, _ -> RunFacts.none()).isPresent())
        .toList();
  }
}
