package dev.stowage.cli.gate;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The figures of one input, and the options that they depend on.
 *
 * <p>Parts explain the growth of a figure; their own growth is no regression. The name of a figure
 * that holds for one shape starts with the shape and a space.
 *
 * @param figures the figures by their names; growth is a regression. Those in bytes end with {@code
 *     _bytes}
 * @param options the options that change the figures, such as {@code --alignment}, and their values
 * @param parts the bytes of the parts of the figures, by names that end with {@code _bytes}
 */
public record BaselineEntry(
    @JsonProperty(required = true) SortedMap<String, Long> figures,
    @JsonProperty(required = true) SortedMap<String, String> options,
    @JsonProperty(required = true) SortedMap<String, Long> parts) {

  /** {@return the figures of an input, without options and parts} */
  public static BaselineEntry of(SortedMap<String, Long> figures) {
    return new BaselineEntry(figures, new TreeMap<>(), new TreeMap<>());
  }

  /** {@return this entry with further options} */
  public BaselineEntry withOptions(SortedMap<String, String> more) {
    SortedMap<String, String> all = new TreeMap<>(options);
    all.putAll(more);
    return new BaselineEntry(figures, all, parts);
  }
}
