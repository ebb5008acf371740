package dev.stowage.cli.command;

import dev.stowage.cli.banks.BankReport;
import dev.stowage.cli.banks.BankRunner;
import dev.stowage.cli.conclusion.BankConclusion;
import dev.stowage.cli.conclusion.NextPlanCommand;
import dev.stowage.cli.conclusion.PlanConclusion;
import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.console.ShortHelp;
import dev.stowage.cli.gate.Tolerance;
import dev.stowage.cli.input.InputFile;
import dev.stowage.cli.input.InputReader;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.option.PlanningOptions;
import dev.stowage.cli.option.TableJsonCsv;
import dev.stowage.cli.output.PlanFiles;
import dev.stowage.cli.output.WholeFile;
import dev.stowage.cli.plan.Alternative;
import dev.stowage.cli.plan.CapacityCheck;
import dev.stowage.cli.plan.InputRefusedException;
import dev.stowage.cli.plan.OrderRunner;
import dev.stowage.cli.plan.PlanFigures;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.cli.plan.PlanRunner;
import dev.stowage.cli.plan.PlanSelection;
import dev.stowage.cli.plan.RangeReport;
import dev.stowage.cli.plan.RangeRunner;
import dev.stowage.cli.report.Answer;
import dev.stowage.cli.report.BankAnswer;
import dev.stowage.cli.report.HtmlPrinter;
import dev.stowage.cli.report.PlanAnswer;
import dev.stowage.cli.report.PlansAnswer;
import dev.stowage.cli.run.BaselineGate;
import dev.stowage.cli.run.CommandFacts;
import dev.stowage.cli.run.CommandLineWords;
import dev.stowage.cli.run.Diagnostics;
import dev.stowage.cli.run.InputCommand;
import dev.stowage.cli.run.InputPaths;
import dev.stowage.cli.run.InputRun;
import dev.stowage.cli.run.Outcome;
import dev.stowage.cli.run.OutputPaths;
import dev.stowage.cli.run.PageOutput;
import dev.stowage.cli.run.TerminalProgress;
import dev.stowage.cli.run.Usage;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.plan.banks.search.BankShortageException;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stowage plan}: plans the memory of models and problems. */
@Command(
    name = "plan",
    sortOptions = false,
    description = {
      // The list of commands has the first line.
      "Plans the memory of models and problems.",
      "A FILE is a .tflite or .onnx model, a .csv or .json problem, or a dump of XLA."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  How much memory do the tensors of a model need?",
      "    stowage plan model.tflite",
      "  Do they fit into 512 KiB, all offsets aligned to 16 bytes? Exit code 4 says no.",
      "    stowage plan model.tflite --alignment 16 --capacity 512KiB",
      "  If they do not fit, which tensors are the reason?",
      "    stowage plan model.tflite --capacity 512KiB --explain",
      "  Draw the best plan, and write it for a program:",
      "    stowage plan model.tflite --output plan.html --output plan.csv",
      "  One plan for all shapes, and arenas for four parts of them:",
      "    stowage plan problem.json --dim batch=1..32 --buckets 4",
      "  Fail a build if a model needs more memory than before. Exit code 5 says so.",
      "    stowage plan *.tflite --baseline memory.json",
      "  Which programs of JAX need less memory than XLA gives them?",
      "    XLA_FLAGS=--xla_dump_to=dump python train.py; stowage plan dump",
      "  Compare models in one table, or in a script:",
      "    stowage plan *.tflite",
      "    stowage plan *.tflite --format json | jq .lower_bounds.offsets"
    })
public final class PlanCommand extends InputCommand {

  /** The options that do not change plans. */
  private static final Set<String> NOT_PLANNING =
      Set.of(
          "--explain",
          "--format",
          "--output",
          "--unpinned",
          "--baseline",
          "--update-baseline",
          "--tolerance",
          "--debug");

  private static final List<String> OF_ARENAS = List.of(".csv", ".json", ".html", ".svg", ".h");
  private static final List<String> OF_BANKS = OF_ARENAS.subList(0, 2);

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE",
      description = {
        "The file to plan; - is the standard input. A folder stands for its",
        ".tflite and .onnx models and dumps of XLA, also in subfolders."
      })
  private List<String> arguments = List.of();

  @Mixin private PlanningOptions planning = new PlanningOptions();

  @Mixin private TableJsonCsv format = new TableJsonCsv();

  @Option(
      names = "--output",
      paramLabel = "PATH",
      description = {
        "Write the best offsets plan to a .csv, .json, .html, .svg or .h file.",
        "An .html file also has the other strategies; with several FILEs, it",
        "has their table. With --buckets, files such as plan-1.csv have the",
        "plans of the parts. Repeatable."
      })
  private List<String> outputs = List.of();

  @Option(
      names = "--unpinned",
      order = ShortHelp.RARE,
      description = {
        "Write .csv and .json files without offsets: the problem instead of",
        "the plan."
      })
  private boolean isUnpinned;

  @Mixin private BaselineGate baseline = new BaselineGate();

  /** The inputs: the arguments, with folders replaced by the files in them. */
  private List<String> files = List.of();

  /**
   * The work on inputs in one arena.
   *
   * @param orders searches for orders of operators, if requested
   * @param plans collects the plans of several inputs
   * @param failures collects the reasons why inputs have no plans, for their page
   */
  private record Arenas(
      InputReader reader,
      PlanSelection selection,
      Optional<OrderRunner> orders,
      PlansAnswer plans,
      List<String> failures) {}

  @Override
  public Integer call() throws IOException {
    InputPaths planned =
        InputPaths.of(
            arguments,
            InputReader::isFoundInFolders,
            "is a folder without models, expected .tflite, .onnx or …-buffer-assignment.txt files; name each .csv and .json file",
            Diagnostics.of(spec));
    files = planned.paths();
    checkOutputs();
    try {
      planning.readProfile(files);
    } catch (IOException e) {
      int failed = Diagnostics.of(spec).reportFailure(planning.profilePath(), e);
      return ExitCode.graver(planned.exitCode(), failed);
    }
    int exitCode =
        baseline.gated(
            planning::recorded,
            Tolerance.NONE,
            files.size(),
            interruption(),
            () -> planning.isBanked() ? planBanks() : planArenas());
    return ExitCode.graver(planned.exitCode(), exitCode);
  }

  private InputRun newRun() {
    return newRun(format.printer(), "Planning", "planned").withGate(baseline);
  }

  private PlanInput read(String file, InputReader reader) throws IOException {
    return interruption().run(() -> reader.read(file));
  }

  private int planBanks() throws IOException {
    BankRunner runner = planning.bankRunner(baseline.isGiven(), interruption());
    InputReader reader = planning.reader(files, in());
    return newRun().run(files, (file, _) -> plan(read(file, reader), runner));
  }

  private Outcome plan(PlanInput read, BankRunner runner) throws InputRefusedException {
    if (!(read instanceof PlanInput.Tensors input)) {
      throw new InputRefusedException(
          "--bank needs one size in bytes of each tensor; set dimensions with --dim, and omit textures");
    }
    InputFile file = input.file();
    try {
      BankReport report = runner.run(input);
      Conclusion conclusion = finished(BankConclusion.of(report, words()));
      return Outcome.of(BankAnswer.of(report, conclusion))
          .noting(file.notes())
          .noting(report.isInterrupted() ? List.of(PlanReport.INTERRUPTED) : List.of())
          .writing(() -> Diagnostics.of(spec).write(outputs, report.files()))
          .gating(report::gated)
          .leadingTo(conclusion);
    } catch (BankShortageException e) {
      return Outcome.of(BankAnswer.withoutPlan(input, e))
          .noting(file.notes())
          .failing(ExitCode.NO_PLAN, "no plan in banks: " + e.getMessage());
    }
  }

  private int planArenas() throws IOException {
    Arenas arenas =
        new Arenas(
            planning.reader(files, in()),
            planning.selection(baseline.isGiven()),
            planning.orders(interruption()),
            new PlansAnswer(words().words()),
            new ArrayList<>());
    boolean isTogether = format.isTable() && files.size() > 1;
    InputRun run = newRun().telling(arenas.failures::add);
    if (isTogether) {
      run.together();
    }
    if (files.size() > 1) {
      run.ending(() -> writePage(arenas));
    }
    int exitCode =
        run.run(files, (file, progress) -> plan(read(file, arenas.reader), arenas, progress));
    if (isTogether) {
      for (Answer answer : answers(arenas)) {
        run.print(answer);
      }
    }
    return exitCode;
  }

  /** {@return the answers on several inputs} */
  private List<Answer> answers(Arenas arenas) {
    return arenas.plans.answers(report -> answer(report, arenas.selection));
  }

  /** Writes the page of several inputs, if there is one, and {@return the exit code} */
  private int writePage(Arenas arenas) {
    Optional<PageOutput> page = PageOutput.of(outputs.stream().findFirst(), files, spec);
    List<Answer> answers = answers(arenas);
    return page.isPresent() && !answers.isEmpty()
        ? page.get().write(Answer.of(answers).lines(arenas.failures), List.of())
        : ExitCode.DONE;
  }

  private Outcome plan(PlanInput input, Arenas arenas, TerminalProgress progress)
      throws IOException, InputRefusedException {
    progress.expect(arenas.selection.strategies().size());
    return outcome(report(input, arenas, progress), arenas);
  }

  private PlanReport report(PlanInput input, Arenas arenas, TerminalProgress progress)
      throws IOException, InputRefusedException {
    boolean hasRanges = input instanceof PlanInput.Tensors it && it.ranges().isPresent();
    int buckets = planning.bucketCount();
    if (buckets > 1 && !hasRanges) {
      throw new InputRefusedException(
          "--buckets needs sizes that depend on dimensions with ranges, such as --dim batch=1..32");
    }
    List<Alternative> alternatives = planning.alternatives(input, files, in());
    PlanReport report =
        new PlanRunner(arenas.selection, interruption()).run(input, alternatives, progress);
    if (arenas.orders.isPresent()) {
      progress.phase("order of operators");
      return arenas.orders.get().compared(report, planning.orderedModel(input.file().path()));
    }
    return hasRanges && report.input() instanceof PlanInput.Tensors planned
        ? new RangeRunner(arenas.selection, buckets, interruption())
            .compared(report, planned, progress)
        : report;
  }

  private Outcome outcome(PlanReport report, Arenas arenas) {
    OptionalLong capacity = arenas.selection.capacityBytes(report.input().file());
    Answer answer = answer(report, arenas.selection);
    Outcome outcome =
        Outcome.of(answer)
            .noting(report.input().file().notes())
            .noting(report.notes())
            .gating(() -> PlanFigures.of(report));
    answer.conclusion().ifPresent(outcome::leadingTo);
    arenas.plans.add(report);
    if (capacity.isPresent() && report.bounds().isEmpty()) {
      return outcome.failing(
          ExitCode.BAD_INPUT,
          "a capacity is in bytes, but textures have texels; omit --capacity and the key 'capacity'");
    }
    if (!outputs.isEmpty() && report.bestOffsets().isPresent()) {
      write(report, arenas.selection, outcome);
    } else if (!outputs.isEmpty()) {
      outcome.failing(ExitCode.BAD_INPUT, "--output needs an offsets plan, and the input has none");
    }
    CapacityCheck.shortage(report, capacity)
        .ifPresent(shortage -> outcome.failing(ExitCode.NO_PLAN, shortage.text()));
    return outcome;
  }

  private void write(PlanReport report, PlanSelection selection, Outcome outcome) {
    if (report.isReordered()) {
      outcome.noting(
          "--output writes the plan of the order of the file; stowage rewrite --reorder writes the model in the better order");
    }
    if (files.size() > 1) {
      return; // the page has all inputs
    }
    outcome.writing(() -> write(outputs, report, selection));
    List<RangeReport.Bucket> parts = report.ranges().map(RangeReport::buckets).orElse(List.of());
    for (int i = 0; i < parts.size(); i++) {
      PlanReport part = parts.get(i).report();
      List<String> paths = ofBucket(i + 1);
      outcome.writing(() -> write(paths, part, selection));
    }
  }

  private int write(List<String> paths, PlanReport report, PlanSelection selection) {
    WholeFile.Content page = out -> writePage(report, selection, out);
    return Diagnostics.of(spec).write(paths, PlanFiles.of(report, isUnpinned, page));
  }

  /** {@return the paths of the files for one of the buckets: {@code plan-1.csv}} */
  private List<String> ofBucket(int number) {
    return outputs.stream().map(path -> path.replaceFirst("(?=\\.[^.]*$)", "-" + number)).toList();
  }

  private Answer answer(PlanReport report, PlanSelection selection) {
    OptionalLong capacity = selection.capacityBytes(report.input().file());
    return PlanAnswer.of(
        report, PlanConclusion.of(report, capacity, words()).map(this::finished), capacity);
  }

  private void writePage(PlanReport report, PlanSelection selection, Writer out)
      throws IOException {
    InputFile file = report.input().file();
    List<String> notes =
        Stream.concat(file.notes().stream(), report.notes().stream()).distinct().toList();
    HtmlPrinter.print(
        answer(report, selection), CommandFacts.of(spec, file.path(), file.format(), notes), out);
  }

  /** {@return a conclusion without a next command if a build compares figures} */
  private Conclusion finished(Conclusion conclusion) {
    return baseline.isGiven() ? conclusion.withoutCommand() : conclusion;
  }

  private NextPlanCommand words() {
    return new NextPlanCommand(
        CommandLineWords.wordsWithout(spec, NOT_PLANNING),
        outputs.stream().anyMatch(path -> !OutputPaths.isPage(path)));
  }

  private void checkOutputs() {
    boolean isBanked = planning.isBanked();
    boolean isTogether = !isBanked && outputs.stream().allMatch(OutputPaths::isPage);
    if (files.size() > 1 && outputs.size() > (isTogether ? 1 : 0)) {
      throw Usage.error(
          spec,
          "--output writes the plan of one FILE, but there are %d%s",
          files.size(),
          isBanked ? "" : ", expected one .html file for all of them");
    }
    OutputPaths paths = new OutputPaths(spec, files);
    List<String> all = new ArrayList<>(outputs);
    for (int bucket = 1; planning.bucketCount() > 1 && bucket <= planning.bucketCount(); bucket++) {
      all.addAll(ofBucket(bucket));
    }
    for (String path : all) {
      paths.add("--output", path, isBanked ? OF_BANKS : OF_ARENAS);
    }
    baseline.check(files, paths);
    if (!outputs.isEmpty() && planning.isObjects()) {
      throw Usage.error(
          spec,
          "--output writes an offsets plan, which --kind objects does not plan; omit one of the two");
    }
  }
}
