package dev.stowage.cli;

import dev.stowage.cli.budget.BudgetFit;
import dev.stowage.cli.budget.BudgetReport;
import dev.stowage.cli.budget.BudgetRequest;
import dev.stowage.cli.budget.BudgetRunner;
import dev.stowage.cli.budget.Calibration;
import dev.stowage.cli.budget.CalibrationRunner;
import dev.stowage.cli.output.WholeFile;
import dev.stowage.cli.report.ReportFormat;
import dev.stowage.cli.report.ReportFormats;
import dev.stowage.core.budget.SampleAxis;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code stowage budget}: predicts the native memory of a service that runs a model. */
@Command(
    name = "budget",
    sortOptions = false,
    description = {
      "Predicts the native memory of a service that runs each MODEL.",
      "The memory is a sum of parts for ONNX Runtime with its default options. Each part is",
      "computed from the model, calibrated (from constants that were measured with other models),",
      "or measured. The highest point counts, which may be the creation of a session."
    },
    footer = {
      "",
      "The exit code is 4 if no shape fits into a --limit.",
      "",
      "Examples:",
      "  How much memory does a service with four sessions need?",
      "    stowage budget model.onnx --dim batch=1..64 --dim seq=16,128,512 --sessions 4",
      "  What is the largest batch in a container of 2 GiB with a heap of 512 MiB?",
      "    stowage budget model.onnx --dim batch=1..64 --jvm-heap 512MiB --limit 2GiB --fit batch",
      "  Is the prediction right on this machine?",
      "    stowage budget model.onnx --dim batch=8 --measure"
    })
final class BudgetCommand implements Callable<Integer> {

  private static final int MAX_SHAPES = 100;
  private static final int MAX_COUNT = 10_000;

  /** The formats of results. */
  private enum Format {
    table,
    json,
    csv,
    k8s
  }

  @Parameters(
      arity = "1..*",
      paramLabel = "MODEL",
      description = {
        "An .onnx model, or a .tflite model for TensorFlow Lite Micro, whose",
        "interpreters are sessions."
      })
  private List<String> files = List.of();

  @Option(
      names = "--dim",
      paramLabel = "NAME=N",
      converter = BudgetDimension.Converter.class,
      description = {
        "The size of a dimension that an .onnx model leaves open: one size",
        "(batch=1), a range (batch=1..64) or a list (seq=16,128,512);",
        "repeatable. input[0]=1 sets the first dimension of an input."
      })
  private List<BudgetDimension> dimensions = List.of();

  @Option(
      names = "--sessions",
      paramLabel = "N",
      converter = WholeNumberConverter.class,
      description = "The number of sessions of the process (default: 1).")
  private long sessions = 1;

  @Option(
      names = "--threads",
      paramLabel = "N",
      converter = WholeNumberConverter.class,
      description = "The number of threads of each session (default: 1).")
  private long threads = 1;

  @Option(
      names = "--jvm-heap",
      paramLabel = "BYTES",
      converter = ByteCountConverter.class,
      description = {
        "Include the Java process: this heap, metaspace, code cache, stacks",
        "and collector."
      })
  private Optional<Long> heap = Optional.empty();

  @Option(
      names = "--limit",
      paramLabel = "BYTES",
      converter = ByteCountConverter.class,
      description = "Report the shapes within a limit, such as 2GiB.")
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
      names = "--calibrate",
      paramLabel = "FILE",
      description = {
        "Measure constants of this machine with the models, and write them",
        "to FILE for --constants."
      })
  private Optional<String> calibrate = Optional.empty();

  @Option(
      names = "--constants",
      paramLabel = "FILE",
      description = {
        "Use the constants of a FILE of --calibrate (default: constants that",
        "are part of Stowage)."
      })
  private Optional<String> constants = Optional.empty();

  @Option(
      names = "--profile",
      paramLabel = "FILE",
      description = {
        "Write the sizes as functions of dimensions to FILE, for programs",
        "(ModelBudget.parse); one MODEL only."
      })
  private Optional<String> profile = Optional.empty();

  @Option(
      names = "--format",
      paramLabel = "F",
      description = {
        "table (the default), json (a line for each shape), csv (a line for",
        "each shape and part) or k8s (the resources of a container)."
      })
  private Format format = Format.table;

  @Spec private CommandSpec spec;

  private boolean hasPrinted;

  @Override
  public Integer call() throws IOException {
    check();
    Calibration calibration;
    try {
      calibration =
          constants.isPresent() ? Calibration.read(constants.get()) : Calibration.shipped();
    } catch (IOException e) {
      return diagnostics().reportFailure(constants.orElse(""), e);
    }
    Stowage.of(spec).interruption().expect();
    BudgetRequest request = request(calibration);
    if (calibrate.isPresent()) {
      return calibrate(calibrate.get(), request);
    }
    String machine = calibration.constants().machine();
    if (!machine.equals(Calibration.thisMachine())
        && files.stream().anyMatch(file -> !isMicro(file))) {
      diagnostics()
          .report(
              String.format(
                  Locale.ROOT,
                  "note: the constants are those of another machine (%s, this one is %s); --calibrate FILE measures those of this one",
                  machine,
                  Calibration.thisMachine()));
    }
    ReportFormat<BudgetReport> reports =
        switch (format) {
          case table -> ReportFormats.budgetTable();
          case json -> ReportFormats.budgetJson();
          case csv -> ReportFormats.budgetCsv();
          case k8s -> ReportFormats.budgetKubernetes();
        };
    BudgetRunner runner = new BudgetRunner(request);
    return EachFile.run(spec, files, "budgeted", (_, file) -> budget(file, runner, reports));
  }

  private void check() {
    if (sessions < 1 || sessions > MAX_COUNT) {
      throw usage(
          String.format(Locale.ROOT, "--sessions is %d, expected 1 to %d", sessions, MAX_COUNT));
    }
    if (threads < 1 || threads > MAX_COUNT) {
      throw usage(
          String.format(Locale.ROOT, "--threads is %d, expected 1 to %d", threads, MAX_COUNT));
    }
    Set<String> names = new HashSet<>();
    long shapes = 1;
    for (BudgetDimension dimension : dimensions) {
      if (!names.add(dimension.name())) {
        throw usage(
            String.format(Locale.ROOT, "--dim sets '%s' twice, expected once", dimension.name()));
      }
      shapes *= dimension.points().size();
      if (shapes > MAX_SHAPES) {
        throw usage(
            String.format(
                Locale.ROOT,
                "--dim sets more than %d shapes, expected fewer sizes or narrower ranges",
                MAX_SHAPES));
      }
    }
    checkFit();
    if (profile.isPresent() && files.size() > 1) {
      throw usage(
          String.format(
              Locale.ROOT, "--profile has one MODEL, but there are %d, expected 1", files.size()));
    }
  }

  private void checkFit() {
    if (fit.isEmpty()) {
      return;
    }
    if (limit.isEmpty()) {
      throw usage("--fit needs --limit, expected both");
    }
    String name = fit.get();
    boolean isCount = name.equals(BudgetFit.SESSIONS) || name.equals(BudgetFit.THREADS);
    boolean isRange =
        dimensions.stream()
            .anyMatch(dimension -> dimension.isRange() && dimension.name().equals(name));
    if (!isCount && !isRange) {
      throw usage(
          String.format(
              Locale.ROOT,
              "--fit names '%s', expected sessions, threads or a dimension with a range, such as --dim %s=1..64",
              name,
              name));
    }
  }

  private BudgetRequest request(Calibration calibration) {
    Map<String, Long> fixed = new LinkedHashMap<>();
    List<SampleAxis> axes = new ArrayList<>();
    for (BudgetDimension dimension : dimensions) {
      if (dimension.isRange()) {
        axes.add(dimension.toAxis());
      } else {
        fixed.put(dimension.name(), dimension.points().getFirst());
      }
    }
    return new BudgetRequest(
        fixed,
        axes,
        (int) sessions,
        (int) threads,
        optional(heap),
        optional(limit),
        fit,
        measure,
        calibration.constants(),
        calibration.workspaces());
  }

  private static OptionalLong optional(Optional<Long> value) {
    return value.map(OptionalLong::of).orElse(OptionalLong.empty());
  }

  private int calibrate(String path, BudgetRequest request) throws IOException {
    CalibrationRunner runner = new CalibrationRunner(request);
    int exitCode =
        EachFile.run(
            spec,
            files,
            "measured",
            (_, file) -> {
              Stowage.of(spec)
                  .interruption()
                  .run(() -> {
                    runner.measure(file);
                    return true;
                  });
              return ExitCode.DONE;
            });
    if (exitCode != ExitCode.DONE) {
      return exitCode;
    }
    try {
      runner.calibration().write(new WholeFile(path));
    } catch (IOException e) {
      return diagnostics().reportUnwritten(path, e);
    }
    diagnostics().report("wrote " + path);
    return ExitCode.DONE;
  }

  private int budget(String file, BudgetRunner runner, ReportFormat<BudgetReport> reports)
      throws Exception {
    BudgetReport report = Stowage.of(spec).interruption().run(() -> runner.run(file));
    PrintWriter out = spec.commandLine().getOut();
    if (hasPrinted && format == Format.table) {
      out.println();
    }
    reports.print(report, out);
    out.flush();
    hasPrinted = true;
    if (profile.isPresent()) {
      try {
        new WholeFile(profile.get()).write(writer -> writer.write(report.model().toProfile()));
      } catch (IOException e) {
        return diagnostics().reportUnwritten(profile.get(), e);
      }
    }
    if (!report.fits()) {
      diagnostics()
          .report(file + ": no shape fits into the limit of " + limit.orElse(0L) + " bytes");
      return ExitCode.NO_PLAN;
    }
    return ExitCode.DONE;
  }

  private static boolean isMicro(String file) {
    return file.toLowerCase(Locale.ROOT).endsWith(".tflite");
  }

  private Diagnostics diagnostics() {
    return Diagnostics.of(spec);
  }

  private ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
