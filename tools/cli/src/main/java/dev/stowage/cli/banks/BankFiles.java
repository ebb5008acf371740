package dev.stowage.cli.banks;

import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.input.ProblemWriter;
import dev.stowage.cli.output.WholeFile;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The files for the plan of a report. */
public final class BankFiles {

  private BankFiles() {}

  /**
   * {@return the contents of the files by their extensions}
   *
   * @param page writes a page
   */
  public static Map<String, WholeFile.Content> of(BankReport report, WholeFile.Content page) {
    PlanInput.Tensors input = report.input();
    Optional<long[]> offsets = Optional.of(report.plan().assignment().offsets());
    Map<Integer, String> banks = report.bankNames();
    return Map.of(
        ".csv", out -> ProblemWriter.writeCsv(input, offsets, banks, out),
        ".json", out -> ProblemWriter.writeJson(input, OptionalLong.empty(), offsets, banks, out),
        ".html", page);
  }
}
