package dev.stowage.cli.command;

import dev.stowage.cli.budget.BudgetFigures;
import dev.stowage.cli.budget.BudgetFit;
import dev.stowage.cli.budget.BudgetReport;
import dev.stowage.cli.budget.BudgetRequest;
import dev.stowage.cli.budget.BudgetRunner;
import dev.stowage.cli.budget.BudgetTensors;
import dev.stowage.cli.budget.Calibration;
import dev.stowage.cli.budget.CalibrationRunner;
import dev.stowage.cli.budget.CpuChoice;
import dev.stowage.cli.option.BaselineOptions;
import dev.stowage.cli.option.JunitOption;
import dev.stowage.cli.option.RecordedOptions;
import dev.stowage.cli.option.ServiceOptions;
import dev.stowage.cli.option.TerminalWidth;
import dev.stowage.cli.output.WholeFile;
import dev.stowage.cli.plan.Interruption;
import dev.stowage.cli.report.Answer;
import dev.stowage.cli.report.AnswerPrinter;
import dev.stowage.cli.report.BudgetAnswer;
import dev.stowage.cli.report.BudgetKubernetes;
import dev.stowage.cli.run.BaselineGate;
import dev.stowage.cli.run.BudgetPages;
import dev.stowage.cli.run.CommandFacts;
import dev.stowage.cli.run.Diagnostics;
import dev.stowage.cli.run.EachFile;
import dev.stowage.cli.run.FigureGate;
import dev.stowage.cli.run.JunitRun;
import dev.stowage.console.ByteCountConverter;
import dev.stowage.console.ExitCode;
import dev.stowage.console.ShortHelp;
import dev.stowage.pages.text.RunFacts;
import dev.stowage.pages.text.RunFacts.Fact;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.ToIntFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"4:no shape fits into a --limit", "5:a budget grew against a --baseline"},
    footerHeading = "%nExamples:%n",
    footer = {
      "  How much memory does a service with four sessions need?",
      "    stowage budget model.onnx --dim batch=1..64 --dim seq=16,128,512 --sessions 4",
      "  What is the largest batch in a container of 2 GiB with a heap of 512 MiB?",
      "    stowage budget model.onnx --dim batch=1..64 --jvm-heap 512MiB --limit 2GiB --fit batch",
      "  Is the prediction right on this machine?",
      "    stowage budget model.onnx --dim batch=8 --measure",
      "  Fail a build if a service needs more memory than before:",
      "    stowage budget model.onnx --dim batch=1..64 --baseline memory.json"
    })
public final class BudgetCommand implements Callable<Integer> {

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

  @Mixin private ServiceOptions service = new ServiceOptions();

  @Option(
      names = "--limit",
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
      names = "--calibrate",
      order = ShortHelp.RARE,
      paramLabel = "FILE",
      description = {
        "Measure constants of this machine with the models, and write them",
        "to FILE for --constants."
      })
  private Optional<String> calibrate = Optional.empty();

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
      names = "--format",
      paramLabel = "F",
      description = {
        "table (the default), json (a line for each shape), csv (a line for",
        "each shape and part) or k8s (the resources of a container)."
      })
  private Format format = Format.table;

  @Mixin private TerminalWidth width = new TerminalWidth();

  @Option(
      names = "--output",
      paramLabel = "PATH",
      description = {
        "Write an .html page with the parts, the curve over the shapes and",
        "the rules of services. With several MODELs, it has an index and the",
        "page of each."
      })
  private Optional<String> output = Optional.empty();

  @Mixin private BaselineOptions baseline = new BaselineOptions();

  @Mixin private JunitOption junit = new JunitOption();

  @Spec private CommandSpec spec;

  private boolean hasPrinted;
  private final Interruption interruption;

  public BudgetCommand(Interruption interruption) {
    this.interruption = interruption;
  }

  @Override
  public Integer call() throws IOException {
    check();
    JunitRun run = junit.start(files, written(), format == Format.table, interruption);
    return run.finish(budget(run));
  }

  /** {@return the files that the command writes} */
  private List<String> written() {
    List<String> written = new ArrayList<>();
    baseline.path().ifPresent(written::add);
    calibrate.ifPresent(written::add);
    profile.ifPresent(written::add);
    output.ifPresent(written::add);
    return written;
  }

  private int budget(JunitRun run) throws IOException {
    Calibration calibration;
    try {
      calibration = service.calibration();
    } catch (IOException e) {
      return diagnostics().reportFailure(service.constants().orElse(""), e);
    }
    interruption.expect();
    BudgetRequest request = service.request(calibration, limit, fit, measure);
    if (calibrate.isPresent()) {
      return calibrate(calibrate.get(), request, run);
    }
    Optional<String> note = otherMachine(calibration.constants().origin().machine());
    note.ifPresent(sentence -> diagnostics().report("note: " + sentence));
    List<Fact> facts = withOptions(RecordedOptions.forPage(), calibration).facts();
    try (BudgetPages pages = new BudgetPages(output, files, spec)) {
      int exitCode =
          gated(
              request,
              calibration,
              run.and(pages),
              report -> pages.add(report, facts(report, facts, note)));
      return ExitCode.graver(exitCode, pages.complete());
    }
  }

  private RecordedOptions withOptions(RecordedOptions recorded, Calibration calibration) {
    service.addTo(recorded, calibration);
    return recorded;
  }

  private RunFacts facts(BudgetReport report, List<Fact> options, Optional<String> note) {
    String input = report.largest().input();
    List<Fact> facts =
        CommandFacts.of(spec, input, BudgetRequest.isMicro(input) ? "tflite" : "onnx");
    facts.addAll(options);
    return RunFacts.none().withFacts(facts).withNotes(note.stream().toList());
  }

  /** Compares with the baseline or replaces it, if there is one, and {@return the exit code} */
  private int gated(
      BudgetRequest request,
      Calibration calibration,
      EachFile.Listener listener,
      ToIntFunction<BudgetReport> page)
      throws IOException {
    if (!baseline.isGiven()) {
      return budget(request, calibration, FigureGate.OPEN, listener, page);
    }
    String path = baseline.path().orElseThrow();
    BaselineGate gate;
    try {
      gate =
          baseline.open(
              withOptions(RecordedOptions.forBaseline(path), calibration).options(), interruption);
    } catch (IOException e) {
      return diagnostics().reportFailure(path, e);
    }
    return gate.finish(budget(request, calibration, gate, listener, page), files.size());
  }

  /** {@return a sentence on constants of another machine; empty if they are those of this one} */
  private Optional<String> otherMachine(String machine) {
    return machine.equals(Calibration.thisMachine())
            || files.stream().allMatch(BudgetRequest::isMicro)
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "the constants are those of another machine (%s, this one is %s); --calibrate FILE measures those of this one",
                machine,
                Calibration.thisMachine()));
  }

  /** Prints a note on options that have no effect on a .tflite model. */
  private void noteMicro(String file) {
    if (!BudgetRequest.isMicro(file)) {
      return;
    }
    if (!service.dimensionNames().isEmpty()) {
      diagnostics()
          .note(
              file,
              "the model has no open dimension named "
                  + String.join(", ", service.dimensionNames())
                  + "; .tflite models have no open dimensions");
    }
    if (measure) {
      diagnostics().note(file, "--measure runs .onnx models only; this model is not measured");
    }
  }

  /**
   * {@return the request for the processor of the option, else of the entry in the baseline, else
   * of this machine}
   */
  private BudgetRequest withCpu(
      BudgetRequest request, Calibration calibration, Optional<String> recorded, String file) {
    CpuChoice cpu =
        service.cpu().or(() -> recorded.flatMap(CpuChoice::of)).orElseGet(CpuChoice::ofThisMachine);
    if (!calibration.isFor(cpu) && !BudgetRequest.isMicro(file)) {
      diagnostics()
          .note(
              file,
              String.format(
                  Locale.ROOT,
                  "the workspaces of the constants were measured on %s and are not used for %s",
                  calibration.cpu().orElseThrow(),
                  cpu.name()));
    }
    return request.withCpu(cpu, calibration.workspacesFor(cpu));
  }

  private int budget(
      BudgetRequest request,
      Calibration calibration,
      FigureGate gate,
      EachFile.Listener listener,
      ToIntFunction<BudgetReport> page) {
    AnswerPrinter printer =
        new AnswerPrinter(
            switch (format) {
              case table, k8s -> AnswerPrinter.Format.TABLE;
              case json -> AnswerPrinter.Format.JSON;
              case csv -> AnswerPrinter.Format.CSV;
            },
            width.columns());
    return EachFile.run(
        spec,
        files,
        "budgeted",
        (_, file) -> {
          noteMicro(file);
          BudgetRequest ofFile =
              withCpu(request, calibration, gate.recorded(file, BudgetFigures.CPU), file);
          BudgetReport report = interruptible(() -> new BudgetRunner(ofFile).run(file));
          Optional<BudgetTensors> tensors =
              baseline.isGiven()
                  ? Optional.of(interruptible(() -> BudgetTensors.read(file, ofFile)))
                  : Optional.empty();
          print(report, printer);
          int exitCode = ExitCode.graver(write(report), page.applyAsInt(report));
          exitCode = ExitCode.graver(exitCode, limited(file, report));
          return ExitCode.graver(
              exitCode,
              gate.check(
                  file, options -> BudgetFigures.of(report, tensors.orElseThrow(), options)));
        },
        listener);
  }

  private <T> T interruptible(Interruption.Work<T, IOException> work) throws IOException {
    return interruption.run(work);
  }

  private void check() {
    service.check();
    checkMeasured();
    checkFit();
    baseline.check(files, output.stream().toList());
    if (profile.isPresent() && files.size() > 1) {
      throw usage(
          String.format(
              Locale.ROOT, "--profile has one MODEL, but there are %d, expected 1", files.size()));
    }
    if (calibrate.isPresent()) {
      checkCalibrate();
    }
    profile.ifPresent(path -> checkWritten("--profile", path));
    checkDifferent();
  }

  /** Checks that a measurement is compared with a prediction for this machine. */
  private void checkMeasured() {
    CpuChoice here = CpuChoice.ofThisMachine();
    if (measure && service.cpu().filter(cpu -> !cpu.name().equals(here.name())).isPresent()) {
      throw usage(
          String.format(
              Locale.ROOT,
              "--measure runs the model on this machine, whose processor is of the class %s, expected no --cpu %s",
              here.name(),
              service.cpu().get().name()));
    }
  }

  private void checkCalibrate() {
    checkWritten("--calibrate", calibrate.orElseThrow());
    String other =
        baseline.isGiven()
            ? "--baseline"
            : output.isPresent()
                ? "--output"
                : profile.isPresent()
                    ? "--profile"
                    : limit.isPresent()
                        ? "--limit"
                        : measure ? "--measure" : service.cpu().isPresent() ? "--cpu" : "";
    if (!other.isEmpty()) {
      throw usage("--calibrate measures constants and predicts nothing, expected no " + other);
    }
  }

  /** Checks that the command does not read the file that it writes. */
  private void checkWritten(String option, String path) {
    if (path.isBlank()) {
      throw usage(
          String.format(Locale.ROOT, "%s is '%s', expected the path of a file", option, path));
    }
    if (files.stream().anyMatch(file -> Diagnostics.isSamePath(path, file))) {
      throw usage(
          String.format(
              Locale.ROOT, "%s is '%s', which is a MODEL; use another name", option, path));
    }
  }

  /** Checks that no two options write the same file. */
  private void checkDifferent() {
    List<String> written = written();
    for (int i = 0; i < written.size(); i++) {
      String path = written.get(i);
      for (String other : written.subList(0, i)) {
        if (Diagnostics.isSamePath(other, path)) {
          throw usage(
              String.format(Locale.ROOT, "two options write '%s'; use another name for one", path));
        }
      }
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
    if (!isCount && !service.hasRange(name)) {
      throw usage(
          String.format(
              Locale.ROOT,
              "--fit names '%s', expected sessions, threads or a dimension with a range, such as --dim %s=1..64",
              name,
              name));
    }
  }

  private int calibrate(String path, BudgetRequest request, EachFile.Listener listener)
      throws IOException {
    CalibrationRunner runner = new CalibrationRunner(request);
    int exitCode =
        EachFile.run(
            spec,
            files,
            "measured",
            (_, file) -> {
              interruptible(() -> {
                runner.measure(file);
                return true;
              });
              return ExitCode.DONE;
            },
            listener);
    if (exitCode != ExitCode.DONE || interruption.isInterrupted()) {
      return exitCode;
    }
    return write(path, runner.calibration()::write);
  }

  private void print(BudgetReport report, AnswerPrinter printer) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    List<Answer> answers =
        format == Format.k8s
            ? List.of(BudgetKubernetes.of(report, hasPrinted))
            : BudgetAnswer.of(report);
    for (Answer answer : answers) {
      printer.print(answer, out);
    }
    out.flush();
    hasPrinted = true;
  }

  /** Writes the profile, if requested, and {@return the exit code} */
  private int write(BudgetReport report) {
    return profile.isEmpty()
        ? ExitCode.DONE
        : write(profile.get(), out -> out.write(report.model().toProfile()));
  }

  private int write(String path, WholeFile.Content content) {
    return diagnostics().write(path, () -> new WholeFile(path).write(content));
  }

  /** Reports if no shape is within the limit, and {@return the exit code} */
  private int limited(String file, BudgetReport report) {
    Optional<String> shortage = report.shortage();
    shortage.ifPresent(sentence -> diagnostics().report(file + ": " + sentence));
    return shortage.isPresent() ? ExitCode.NO_PLAN : ExitCode.DONE;
  }

  private Diagnostics diagnostics() {
    return Diagnostics.of(spec);
  }

  private ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
