package dev.stowage.cli.command;

import dev.stowage.cli.check.BankCheckReport;
import dev.stowage.cli.check.CheckReport;
import dev.stowage.cli.check.ShapesCheckReport;
import dev.stowage.cli.input.FilePlan;
import dev.stowage.cli.input.InputReader;
import dev.stowage.cli.input.PlacedInput;
import dev.stowage.cli.input.PlacedShapes;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.option.BankConverter;
import dev.stowage.cli.option.DimensionOption;
import dev.stowage.cli.option.InputFormatOption;
import dev.stowage.cli.option.TableOrJson;
import dev.stowage.cli.plan.InputRefusedException;
import dev.stowage.cli.plan.Interruption;
import dev.stowage.cli.plan.PlanNotes;
import dev.stowage.cli.report.AnswerPrinter;
import dev.stowage.cli.report.CheckAnswer;
import dev.stowage.cli.report.ShapesCheckAnswer;
import dev.stowage.cli.run.BankPlanning;
import dev.stowage.cli.run.Diagnostics;
import dev.stowage.cli.run.EachFile;
import dev.stowage.console.ByteCountConverter;
import dev.stowage.console.ExitCode;
import dev.stowage.console.ShortHelp;
import dev.stowage.onnx.OnnxOptions;
import dev.stowage.pages.text.Numbers;
import dev.stowage.plan.banks.MemoryBank;
import java.io.InputStream;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code stowage check}: checks plans from any source. */
@Command(
    name = "check",
    sortOptions = false,
    description = {
      // The list of commands has the first line.
      "Checks each FILE as a plan from any source.",
      "A FILE is a .csv or .json problem in which every record has an offset, or a .tflite model with",
      "an offline plan for TensorFlow Lite Micro.",
      "Lists overlapping records, misaligned offsets and records beyond the capacity.",
      "If sizes depend on dimensions, checks layouts by proof for all shapes in the ranges."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  Is a plan valid, and how far is it from the lower bound? Exit code 4 means not valid.",
      "    stowage check plan.csv",
      "  Are all offsets multiples of 64 bytes, and does the plan fit into 512 KiB?",
      "    stowage check plan.json --alignment 64 --capacity 512KiB",
      "  Is a plan in two memories valid?",
      "    stowage check plan.csv --bank name=sram,bytes=64KiB --bank name=dram,cost=10",
      "  Is the plan in a model valid?",
      "    stowage check model.tflite",
      "  In a script, print a line for each plan that is not valid:",
      "    stowage check *.csv --format json | jq 'select(.valid | not)'"
    })
public final class CheckCommand implements Callable<Integer> {

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE",
      description = "The plan, a .csv, .json or .tflite file; - is the standard input.")
  private List<String> files = List.of();

  @Option(
      names = "--alignment",
      paramLabel = "N",
      converter = ByteCountConverter.class,
      description = "Every offset must be a multiple of N bytes; N is at least 1 (default: 1).")
  private long alignment = 1;

  @Option(
      names = "--capacity",
      paramLabel = "BYTES",
      converter = ByteCountConverter.class,
      description = {
        "Every record must end within BYTES, such as 1048576, 64KiB or 2GiB",
        "(default: the capacity of the file, if it has one)."
      })
  private Optional<Long> capacity = Optional.empty();

  @Option(
      names = "--bank",
      paramLabel = "BANK",
      converter = BankConverter.class,
      description = {
        "A bank of the plan, such as name=sram,bytes=512KiB,alignment=16,cost=1;",
        "repeatable, as for plan. Checks capacities and alignments, and prints",
        "the cost (default: the banks of the file, of any size)."
      })
  private List<MemoryBank> banks = List.of();

  @Option(
      names = "--dim",
      order = ShortHelp.RARE,
      paramLabel = "NAME=N",
      converter = DimensionOption.Converter.class,
      description = {
        "The size or the range of a dimension that sizes depend on, such as",
        "batch=8 or batch=1..32; repeatable (default: the ranges of the file)."
      })
  private List<DimensionOption> dimensions = List.of();

  @Mixin private InputFormatOption inputFormat = new InputFormatOption();

  @Mixin private TableOrJson format = new TableOrJson();

  @Spec private CommandSpec spec;

  private final InputStream in;
  private final Interruption interruption;

  public CheckCommand(InputStream in, Interruption interruption) {
    this.in = in;
    this.interruption = interruption;
  }

  @Override
  public Integer call() {
    if (alignment < 1) {
      throw new ParameterException(
          spec.commandLine(),
          String.format(Locale.ROOT, "--alignment is %d, expected 1 or more bytes", alignment));
    }
    checkBankOptions();
    AnswerPrinter printer = format.printer();
    InputReader reader =
        inputFormat
            .reader(files, OnnxOptions.defaults(), in)
            .withDimensions(DimensionOption.given(dimensions, spec));
    interruption.expect();
    PrintWriter out = spec.commandLine().getOut();
    return EachFile.run(
        spec,
        files,
        "checked",
        (_, file) -> {
          FilePlan read = interruption.run(() -> reader.readPlan(file));
          boolean isValid =
              switch (read) {
                case PlacedInput placed when isBanked(placed.input()) -> {
                  BankCheckReport report = checkBanks(file, placed);
                  printer.print(CheckAnswer.of(report), out);
                  yield report.violations().isEmpty();
                }
                case PlacedInput placed -> {
                  CheckReport report = check(file, placed);
                  printer.print(CheckAnswer.of(report), out);
                  yield report.violations().isEmpty();
                }
                case PlacedShapes placed -> {
                  ShapesCheckReport report = check(file, placed);
                  printer.print(ShapesCheckAnswer.of(report), out);
                  yield report.isValid();
                }
              };
          out.flush();
          return isValid ? ExitCode.DONE : ExitCode.NO_PLAN;
        });
  }

  private void checkBankOptions() {
    if (banks.isEmpty()) {
      return;
    }
    BankPlanning.check(banks, spec);
    if (capacity.isPresent()) {
      throw new ParameterException(
          spec.commandLine(),
          "--capacity is that of one arena, expected the bytes of each --bank instead");
    }
  }

  private ShapesCheckReport check(String file, PlacedShapes placed) throws InputRefusedException {
    if (!banks.isEmpty()) {
      throw new InputRefusedException(
          "the sizes depend on dimensions, expected one size of each for --bank; set them with --dim");
    }
    Diagnostics diagnostics = Diagnostics.of(spec);
    placed.input().file().notes().forEach(note -> diagnostics.note(file, note));
    OptionalLong limit =
        capacity.isPresent() ? OptionalLong.of(capacity.get()) : OptionalLong.empty();
    try {
      return interruption.run(() -> ShapesCheckReport.of(placed, alignment, limit));
    } catch (IllegalArgumentException e) {
      // The alignment makes the arena too large; the message names a record.
      throw new InputRefusedException(String.valueOf(e.getMessage()));
    }
  }

  private void note(String file, PlanInput.Tensors input) {
    Diagnostics diagnostics = Diagnostics.of(spec);
    input.file().notes().forEach(note -> diagnostics.note(file, note));
    PlanNotes.gapsNote(input.problem()).ifPresent(note -> diagnostics.note(file, note));
    PlanNotes.inPlaceNote(input.problem()).ifPresent(note -> diagnostics.note(file, note));
  }

  /**
   * {@return true if the offsets of a plan are offsets in banks}
   *
   * <p>Without {@code --bank}, {@code plan} ignores the banks that some records are tied to.
   */
  private boolean isBanked(PlanInput.Tensors input) {
    int bankCount = input.banks().ties().size();
    return !banks.isEmpty() || (bankCount > 0 && bankCount == input.labels().size());
  }

  private BankCheckReport checkBanks(String file, PlacedInput placed) throws InputRefusedException {
    note(file, placed.input());
    Diagnostics diagnostics = Diagnostics.of(spec);
    if (placed.input().file().capacity().isPresent()) {
      diagnostics.note(
          file, "the capacity of the file is that of one arena and is not checked for banks");
    }
    if (banks.isEmpty()) {
      diagnostics.note(
          file,
          "the capacities, alignments and costs of the banks are not known; --bank name=NAME,bytes=BYTES adds a bank with them");
    }
    try {
      return interruption.run(() ->
          banks.isEmpty()
              ? BankCheckReport.of(placed, alignment)
              : BankCheckReport.of(placed, alignment, banks));
    } catch (IllegalArgumentException e) {
      // A bank or the alignment contradicts a record; the message names it.
      throw new InputRefusedException(String.valueOf(e.getMessage()));
    }
  }

  private CheckReport check(String file, PlacedInput placed) throws InputRefusedException {
    note(file, placed.input());
    int bankCount = placed.input().banks().ties().size();
    if (bankCount > 0) {
      Diagnostics.of(spec)
          .note(
              file,
              String.format(
                  Locale.ROOT,
                  "%d of %s have a bank, expected all; the offsets are checked as those of one arena",
                  bankCount,
                  Numbers.count(placed.input().labels().size(), "tensor")));
    }
    OptionalLong limit =
        capacity.isPresent() ? OptionalLong.of(capacity.get()) : OptionalLong.empty();
    try {
      return interruption.run(() -> CheckReport.of(placed, alignment, limit));
    } catch (IllegalArgumentException e) {
      // The alignment contradicts a record; the message names it.
      throw new InputRefusedException(String.valueOf(e.getMessage()));
    }
  }
}
