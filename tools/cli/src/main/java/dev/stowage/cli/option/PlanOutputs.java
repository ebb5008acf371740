package dev.stowage.cli.option;

import dev.stowage.cli.banks.BankFiles;
import dev.stowage.cli.banks.BankReport;
import dev.stowage.cli.console.ShortHelp;
import dev.stowage.cli.output.PlanFiles;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.cli.run.OutputFiles;
import dev.stowage.cli.run.Usage;
import dev.stowage.pages.text.RunFacts;
import dev.stowage.pages.text.Text;
import java.util.ArrayList;
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
        "has an index and the page of each. With --buckets, files such as",
        "plan-1.csv have the plans of the parts. Repeatable."
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
    List<String> all = new ArrayList<>(paths);
    for (int bucket = 1; inputs.size() == 1 && bucket <= planning.bucketCount(); bucket++) {
      for (String path : paths) {
        all.add(ofBucket(path, bucket));
      }
    }
    OutputFiles.check(all, inputs, !planning.isBanked(), spec);
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
   * {@return the files for an input in one arena}
   *
   * @param facts returns the facts of the run on a report, for pages
   */
  public OutputFiles<PlanReport> planFiles(Function<PlanReport, RunFacts> facts) {
    return planFiles(paths, facts);
  }

  /**
   * {@return the files for one of the buckets of an input}
   *
   * @param facts returns the facts of the run on a report, for pages
   * @param bucket the number of the bucket, from 1
   */
  public OutputFiles<PlanReport> bucketFiles(Function<PlanReport, RunFacts> facts, int bucket) {
    return planFiles(paths.stream().map(path -> ofBucket(path, bucket)).toList(), facts);
  }

  private OutputFiles<PlanReport> planFiles(
      List<String> names, Function<PlanReport, RunFacts> facts) {
    return OutputFiles.of(
        names,
        path -> isUnpinned ? PlanFiles.ofUnpinned(path, facts) : PlanFiles.of(path, facts),
        ".csv, .json, .html, .svg or .h",
        spec);
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

  /** {@return the path of the file for one of the buckets: {@code plan-1.csv}} */
  private static String ofBucket(String path, int bucket) {
    int end = path.lastIndexOf('.');
    return end < 0 ? path : Text.of("%s-%d%s", path.substring(0, end), bucket, path.substring(end));
  }
}
