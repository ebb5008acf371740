package dev.stowage.cli.option;

import dev.stowage.cli.console.ShortHelp;
import dev.stowage.cli.run.BankPlanning;
import dev.stowage.cli.run.Usage;
import dev.stowage.plan.banks.MemoryBank;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The option of {@code stowage plan} for several memories. */
public final class BankOption {

  @Option(
      names = "--bank",
      order = ShortHelp.RARE,
      paramLabel = "BANK",
      converter = BankConverter.class,
      description = {
        "One of several memories, the fastest first, such as",
        "name=sram,bytes=512KiB,alignment=16,cost=1; repeatable. Every tensor",
        "gets a bank and an offset. --strategy is then BANKED_GREEDY, OPTIMAL",
        "(which minimizes the bytes written and read times the cost of their",
        "bank) or all. Without bytes, the last bank has any size."
      })
  private List<MemoryBank> banks = List.of();

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  public boolean isGiven() {
    return !banks.isEmpty();
  }

  /** {@return the memories, the fastest first} */
  public List<MemoryBank> banks() {
    return banks;
  }

  /** Adds the memories that are given. */
  public void addTo(RecordedOptions recorded) {
    recorded.addAll("--bank", banks.stream().map(BankOption::text).toList());
  }

  private static String text(MemoryBank bank) {
    String bytes = bank.bytes().isPresent() ? ",bytes=" + bank.bytes().getAsLong() : "";
    return String.format(
        Locale.ROOT,
        "name=%s%s,alignment=%d,cost=%d",
        bank.name(),
        bytes,
        bank.alignment(),
        bank.cost());
  }

  /**
   * Checks the memories and the options beside them.
   *
   * @param isMicro true if the arena of TensorFlow Lite Micro is planned
   * @param isForOneArena true if another option applies only to one arena
   * @param isReordered true if orders of operators are compared
   * @throws ParameterException if the memories contradict each other or another option
   */
  public void check(boolean isMicro, boolean isForOneArena, boolean isReordered) {
    BankPlanning.check(banks, spec);
    if (isMicro) {
      throw Usage.error(
          spec,
          "--runtime tflm plans one arena, but --bank plans several memories; omit one of them");
    }
    if (isForOneArena) {
      throw Usage.error(
          spec,
          "--bank plans offsets in banks with bytes of their own, expected it without --capacity, --explain, --buckets and --kind objects");
    }
    if (isReordered) {
      throw Usage.error(spec, "--reorder compares orders in one arena, expected it without --bank");
    }
  }
}
