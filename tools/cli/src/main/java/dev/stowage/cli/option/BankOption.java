package dev.stowage.cli.option;

import dev.stowage.cli.console.ShortHelp;
import dev.stowage.cli.run.Usage;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.banks.BankedProblem;
import dev.stowage.plan.banks.MemoryBank;
import java.util.List;
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
        "gets a bank and an offset, by the bytes written and read times the",
        "cost of the bank; OPTIMAL then searches in each bank. Without bytes,",
        "a bank has any size."
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
    recorded.addAll("--bank", banks.stream().map(MemoryBank::toString).toList());
  }

  /**
   * Checks the memories and the options beside them.
   *
   * @param isForOneArena true if another option applies only to one arena
   * @throws ParameterException if the memories contradict each other or another option
   */
  public void check(boolean isForOneArena) {
    check(banks, spec);
    if (isForOneArena) {
      throw Usage.error(
          spec,
          "--bank plans several memories, expected it without --strategy, --capacity, --explain, --reorder, --buckets, --kind objects and --runtime tflm");
    }
  }

  /**
   * Checks memories.
   *
   * @throws ParameterException if they contradict each other
   */
  public static void check(List<MemoryBank> banks, CommandSpec spec) {
    try {
      var _ = BankedProblem.of(PlanProblem.of(List.of()), banks);
    } catch (IllegalArgumentException e) {
      throw Usage.error(spec, "--bank: " + e.getMessage());
    }
  }
}
