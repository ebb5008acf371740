package dev.stowage.cli.option;

import dev.stowage.cli.budget.CpuChoice;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the class of a processor: {@code avx2}, or {@code any}. */
final class CpuConverter implements ITypeConverter<CpuChoice> {

  @Override
  public CpuChoice convert(String value) {
    return CpuChoice.of(value)
        .orElseThrow(() ->
            new TypeConversionException(
                String.format(
                    Locale.ROOT,
                    "'%s' is not a class of processors, expected %s",
                    value,
                    CpuChoice.names())));
  }
}
