package dev.stowage.cli.text;

import dev.stowage.plan.shapes.DimensionRanges;
import tools.jackson.core.JsonGenerator;

/** The ranges of dimensions as a property of a JSON object. */
public final class RangesJson {

  private RangesJson() {}

  /** Writes the property {@code dimensions}. */
  public static void write(DimensionRanges ranges, JsonGenerator json) {
    json.writeObjectPropertyStart("dimensions");
    ranges
        .ranges()
        .forEach(range -> {
          json.writeName(range.name());
          json.writeArray(new long[] {range.first(), range.last()}, 0, 2);
        });
    json.writeEndObject();
  }
}
