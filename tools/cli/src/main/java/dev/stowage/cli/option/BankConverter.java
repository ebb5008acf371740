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
import java.util.Optional;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/** Reads a bank: {@code name=sram,bytes=512KiB,alignment=16,cost=1}. */
public final class BankConverter implements ITypeConverter<MemoryBank> {

  private static final List<String> KEYS = List.of("name", "bytes", "alignment", "cost");

  @Override
  public MemoryBank convert(String value) {
    Map<String, String> fields = new HashMap<>();
    for (String field : value.split(",", -1)) {
      int equals = field.indexOf('=');
      String key = equals < 0 ? field : field.substring(0, equals);
      if (!KEYS.contains(key)) {
        throw new TypeConversionException(
            Text.of(
                "'%s' has an unknown key '%s', expected a bank such as name=sram,bytes=512KiB,alignment=16,cost=1",
                value, key));
      }
      if (fields.put(key, equals < 0 ? "" : field.substring(equals + 1)) != null) {
        throw new TypeConversionException(Text.of("'%s' has %s twice, expected once", value, key));
      }
    }
    return bank(fields);
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

  private static MemoryBank bank(Map<String, String> fields) {
    String name = fields.getOrDefault("name", "");
    try {
      MemoryBank bank =
          fields.containsKey("bytes")
              ? MemoryBank.of(name, new ByteCountConverter().convert(fields.get("bytes")))
              : MemoryBank.unlimited(name);
      String alignment = fields.getOrDefault("alignment", "1");
      String cost = fields.getOrDefault("cost", "1");
      return bank.withAlignment(new ByteCountConverter().convert(alignment)).withCost(cost(cost));
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(String.valueOf(e.getMessage()));
    }
  }

  private static long cost(String value) {
    return Optional.of(value)
        .filter(digits -> digits.matches("[0-9]{1,18}"))
        .map(Long::parseLong)
        .orElseThrow(() ->
            new TypeConversionException(
                Text.of("cost is '%s', expected a whole number of at most 18 digits", value)));
  }
}
