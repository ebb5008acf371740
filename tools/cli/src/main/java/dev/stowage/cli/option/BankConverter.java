package dev.stowage.cli.option;

import dev.stowage.cli.console.ByteCountConverter;
import dev.stowage.cli.run.Usage;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.banks.BankedProblem;
import dev.stowage.plan.banks.MemoryBank;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/** Reads a bank: {@code name=sram,bytes=512KiB,alignment=16,cost=1}. */
public final class BankConverter implements ITypeConverter<MemoryBank> {

  private static final Pattern FIELD = Pattern.compile("(name|bytes|alignment|cost)=(.*)");

  @Override
  public MemoryBank convert(String value) {
    Map<String, String> fields = new HashMap<>();
    for (String text : value.split(",", -1)) {
      Matcher field = FIELD.matcher(text);
      if (!field.matches() || fields.put(field.group(1), field.group(2)) != null) {
        throw new TypeConversionException(
            Text.of(
                "'%s' has '%s', expected each field once, such as name=sram,bytes=512KiB,alignment=16,cost=1",
                value, text));
      }
    }
    String name = fields.getOrDefault("name", "");
    ByteCountConverter bytes = new ByteCountConverter();
    try {
      MemoryBank bank =
          fields.containsKey("bytes")
              ? MemoryBank.of(name, bytes.convert(fields.get("bytes")))
              : MemoryBank.unlimited(name);
      return bank.withAlignment(bytes.convert(fields.getOrDefault("alignment", "1")))
          .withCost(new WholeNumberConverter().convert(fields.getOrDefault("cost", "1")));
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(String.valueOf(e.getMessage()));
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
