package dev.stowage.cli.option;

import dev.stowage.pages.text.Text;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the limit of the nodes of a search: a whole number, 0 or more. */
public final class NodeCountConverter implements ITypeConverter<Long> {

  @Override
  public Long convert(String value) {
    long nodes = new WholeNumberConverter().convert(value);
    if (nodes < 0) {
      throw new TypeConversionException(Text.of("'%s' is negative, expected 0 or more", value));
    }
    return nodes;
  }
}
