package dev.stowage.cli.command;

import dev.stowage.cli.check.ArenaCheck;
import dev.stowage.cli.check.BankCheckReport;
import dev.stowage.cli.check.CheckReport;
import dev.stowage.cli.check.DeviceLog;
import dev.stowage.cli.console.ExitCode;
import dev.stowage.cli.input.MicroMemory;
import dev.stowage.cli.input.PlacedInput;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.plan.InputRefusedException;
import dev.stowage.cli.plan.Interruption;
import dev.stowage.cli.plan.PlanNotes;
import dev.stowage.cli.report.AnswerPrinter;
import dev.stowage.cli.report.CheckAnswer;
import dev.stowage.cli.run.Diagnostics;
import dev.stowage.pages.text.Numbers;
import dev.stowage.plan.banks.MemoryBank;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;

/** The check of each plan of {@code stowage check}. */
final class CheckRun {

  private final Diagnostics diagnostics;
  private final PrintWriter out;
  private final Interruption interruption;
  private final AnswerPrinter printer;
  private final long alignment;
  private final OptionalLong limit;
  private final List<MemoryBank> banks;
  private final boolean isMicro;
  private final Optional<String> deviceLog;

  /**
   * Creates a check.
   *
   * @param limit the capacity of the arena
   * @param isMicro true to check the arena of TensorFlow Lite Micro
   * @param deviceLog the file with the places of buffers on a device, if there is one
   */
  CheckRun(
      CommandSpec spec,
      Interruption interruption,
      AnswerPrinter printer,
      long alignment,
      OptionalLong limit,
      List<MemoryBank> banks,
      boolean isMicro,
      Optional<String> deviceLog) {
    diagnostics = Diagnostics.of(spec);
    out = spec.commandLine().getOut();
    this.interruption = interruption;
    this.printer = printer;
    this.alignment = alignment;
    this.limit = limit;
    this.banks = banks;
    this.isMicro = isMicro;
    this.deviceLog = deviceLog;
  }

  /** Checks a plan, prints the result and {@return the exit code} */
  int check(String file, PlacedInput read) throws IOException, InputRefusedException {
    boolean isPassed;
    if (isBanked(read.input())) {
      BankCheckReport report = checkBanks(file, read);
      printer.print(CheckAnswer.of(report), out);
      isPassed = report.violations().isEmpty();
    } else {
      CheckReport report = checkArena(file, read);
      printer.print(CheckAnswer.of(report), out);
      isPassed = report.isPassed();
    }
    return isPassed ? ExitCode.DONE : ExitCode.NO_PLAN;
  }

  private void note(String file, PlanInput.Tensors input) {
    input.file().notes().forEach(note -> diagnostics.note(file, note));
    PlanNotes.rangesNote(input).ifPresent(note -> diagnostics.note(file, note));
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
    if (limit.isPresent()) {
      throw new InputRefusedException(
          "the plan is in banks, expected the capacity of each (--bank name=NAME,bytes=BYTES) instead of --capacity");
    }
    note(file, placed.input());
    if (placed.input().file().capacity().isPresent()) {
      diagnostics.note(
          file, "the capacity of the file is that of one arena and is not checked for banks");
    }
    if (banks.isEmpty()) {
      diagnostics.note(
          file,
          "the capacities, alignments and costs of the banks are not known; --bank name=NAME,bytes=BYTES adds a bank with them");
    }
    return checked(() -> BankCheckReport.of(placed, alignment, banks));
  }

  private CheckReport checkArena(String file, PlacedInput placed)
      throws IOException, InputRefusedException {
    note(file, placed.input());
    int bankCount = placed.input().banks().ties().size();
    if (bankCount > 0) {
      diagnostics.note(
          file,
          "%d of %s have a bank, expected all; the offsets are checked as those of one arena",
          bankCount,
          Numbers.count(placed.input().labels().size(), "tensor"));
    }
    Optional<ArenaCheck> arena = Optional.empty();
    if (isMicro) {
      MicroMemory memory =
          placed
              .input()
              .micro()
              .orElseThrow(() ->
                  new InputRefusedException(
                      "is not a .tflite model, which --runtime tflm needs; omit --runtime"));
      Optional<DeviceLog> log =
          deviceLog.isPresent() ? Optional.of(DeviceLog.read(deviceLog.get())) : Optional.empty();
      arena = Optional.of(new ArenaCheck(memory, limit, log));
    }
    Optional<ArenaCheck> checkedArena = arena;
    return checked(() -> CheckReport.of(placed, alignment, limit, checkedArena));
  }

  private <T> T checked(Supplier<T> check) throws InputRefusedException {
    try {
      return interruption.run(check::get);
    } catch (IllegalArgumentException e) {
      // A bank or the alignment contradicts a record; the message names it.
      throw new InputRefusedException(String.valueOf(e.getMessage()));
    }
  }
}
