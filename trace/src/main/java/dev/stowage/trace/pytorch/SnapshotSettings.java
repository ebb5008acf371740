package dev.stowage.trace.pytorch;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * The settings of the recorded allocator, under PyTorch's names, such as {@code max_split_size}.
 *
 * <p>Versions of PyTorch have different settings. A setting that a snapshot lacks, or that has a
 * value of another type, is empty.
 */
public final class SnapshotSettings {

  private static final SnapshotSettings NONE = new SnapshotSettings(Map.of());

  private final Map<String, Object> values;

  private SnapshotSettings(Map<String, Object> values) {
    this.values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
  }

  /** {@return settings of a snapshot that has none} */
  public static SnapshotSettings none() {
    return NONE;
  }

  /**
   * {@return settings with values}
   *
   * @param values a {@link String}, {@link Long}, {@link Double}, {@link Boolean}, or a map from
   *     {@link String} to {@link Long} for each name
   */
  public static SnapshotSettings of(Map<String, Object> values) {
    return new SnapshotSettings(values);
  }

  /**
   * {@return the text of a setting}
   *
   * @param name the name, such as {@code PYTORCH_CUDA_ALLOC_CONF}
   */
  public Optional<String> text(String name) {
    return values.get(name) instanceof String text ? Optional.of(text) : Optional.empty();
  }

  /**
   * {@return the whole number of a setting}
   *
   * @param name the name, such as {@code max_split_size}, which is -1 if blocks of all sizes are
   *     split
   */
  public OptionalLong number(String name) {
    return values.get(name) instanceof Long number ? OptionalLong.of(number) : OptionalLong.empty();
  }

  /**
   * {@return the number of a setting}
   *
   * @param name the name, such as {@code garbage_collection_threshold}
   */
  public OptionalDouble fraction(String name) {
    return values.get(name) instanceof Number number
        ? OptionalDouble.of(number.doubleValue())
        : OptionalDouble.empty();
  }

  /**
   * {@return the truth value of a setting}
   *
   * @param name the name, such as {@code expandable_segments}
   */
  public Optional<Boolean> flag(String name) {
    return values.get(name) instanceof Boolean flag ? Optional.of(flag) : Optional.empty();
  }

  /**
   * {@return the numbers of a setting by their keys; empty if there are none}
   *
   * @param name the name, such as {@code roundup_power2_divisions} with the keys {@code "1"},
   *     {@code "2"}, {@code "4"} and so on
   */
  public Map<String, Long> numbers(String name) {
    if (!(values.get(name) instanceof Map<?, ?> map)) {
      return Map.of();
    }
    Map<String, Long> numbers = new LinkedHashMap<>();
    map.forEach((key, value) -> {
      if (key instanceof String text && value instanceof Long number) {
        numbers.put(text, number);
      }
    });
    return Collections.unmodifiableMap(numbers);
  }

  /** {@return the settings by name} */
  public Map<String, Object> values() {
    return values;
  }

  @Override
  public String toString() {
    return "SnapshotSettings" + values;
  }
}
