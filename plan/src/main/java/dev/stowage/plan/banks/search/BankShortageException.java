package dev.stowage.plan.banks.search;

import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.banks.BankedProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * Thrown by a planner for several banks if a record fits into none of them.
 *
 * @serial exclude
 */
public final class BankShortageException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final int record;

  @SuppressWarnings("serial") // a list of the JDK
  private final List<OptionalLong> missingBytes;

  BankShortageException(BankedProblem problem, int record, List<OptionalLong> missingBytes) {
    super(message(problem, record, missingBytes));
    this.record = record;
    this.missingBytes = List.copyOf(missingBytes);
  }

  private static String message(
      BankedProblem problem, int record, List<OptionalLong> missingBytes) {
    TensorUsageRecord data = problem.problem().records().get(record);
    List<String> shortages = new ArrayList<>();
    for (int bank = 0; bank < missingBytes.size(); bank++) {
      if (missingBytes.get(bank).isPresent()) {
        shortages.add(
            String.format(
                Locale.ROOT,
                "%s of %d bytes lacks %d",
                problem.banks().get(bank).name(),
                problem.banks().get(bank).bytes().orElse(Long.MAX_VALUE),
                missingBytes.get(bank).getAsLong()));
      } else if (problem.tiedBank(record).orElse(bank) == bank) {
        shortages.add(
            String.format(
                Locale.ROOT,
                "%s has no offset %d, which is not a multiple of %d",
                problem.banks().get(bank).name(),
                data.pinnedOffset().orElseThrow(),
                problem.alignmentIn(bank)));
      }
    }
    return String.format(
        Locale.ROOT,
        "%s of %d bytes fits into no bank%s: %s",
        data.label(record),
        data.bytes(),
        problem.tiedBank(record).isPresent() ? " that it may be in" : "",
        String.join(", ", shortages));
  }

  /** {@return the index of the record} */
  public int record() {
    return record;
  }

  /**
   * {@return for each bank, the number of bytes by which the record would end beyond the capacity;
   * empty if the record must not be in the bank}
   */
  public List<OptionalLong> missingBytes() {
    return missingBytes;
  }
}
