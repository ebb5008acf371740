package dev.stowage.trace.replay;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The settings of XLA's BFC allocator, as the environment variables of JAX spell them.
 *
 * <p>Immutable: each {@code with} method returns a copy.
 */
public final class XlaSettings {

  /*
   * JAX reads the variables in jaxlib/xla_client.py, and XLA applies them in pjrt/gpu/gpu_helpers.cc:
   * the limit is the memory of the device times the fraction, rounded up to whole 2 MiB.
   */

  private static final String PREALLOCATE = "XLA_PYTHON_CLIENT_PREALLOCATE";
  private static final String FRACTION = "XLA_CLIENT_MEM_FRACTION";
  private static final String OLD_FRACTION = "XLA_PYTHON_CLIENT_MEM_FRACTION";
  private static final String ALLOCATOR = "XLA_PYTHON_CLIENT_ALLOCATOR";
  private static final String TENSORFLOW_ALLOCATOR = "TF_GPU_ALLOCATOR";
  private static final String UNIFIED_MEMORY = "TF_FORCE_UNIFIED_MEMORY";

  private static final double DEFAULT_FRACTION = 0.75;
  private static final long LIMIT_UNIT = 2 << 20;

  private static final Set<String> OTHER_ALLOCATORS =
      Set.of("platform", "address", "cuda_async", "vmm");
  private static final Pattern NUMBER =
      Pattern.compile("(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d{1,3})?");
  private static final Pattern ASSIGNMENT = Pattern.compile("(?<![A-Za-z0-9_])(XLA|TF)_\\w*=");

  private static final XlaSettings DEFAULTS = new XlaSettings(true, DEFAULT_FRACTION, List.of());

  private final boolean preallocates;
  private final double memoryFraction;

  /** The names of the variables that are not known. */
  private final List<String> unknownNames;

  private XlaSettings(boolean preallocates, double memoryFraction, List<String> unknownNames) {
    this.preallocates = preallocates;
    this.memoryFraction = memoryFraction;
    this.unknownNames = unknownNames;
  }

  /** {@return the settings of a process without these variables} */
  public static XlaSettings defaults() {
    return DEFAULTS;
  }

  /**
   * {@return the settings in a text, such as {@code XLA_PYTHON_CLIENT_PREALLOCATE=false
   * XLA_CLIENT_MEM_FRACTION=.9}}
   *
   * <p>Blanks, commas or ends of lines separate the assignments, which may have quotes and an
   * {@code export} before them. Settings that the text does not name have their defaults. Other
   * variables are kept without an effect.
   *
   * @param text the settings
   * @throws IllegalArgumentException if the text has anything else than assignments, if JAX would
   *     reject a value, or if it would use another allocator
   */
  public static XlaSettings parse(String text) {
    Map<String, String> values = EnvironmentText.read(text);
    String fraction = values.getOrDefault(FRACTION, "");
    String oldFraction = values.getOrDefault(OLD_FRACTION, "");
    if (!fraction.isEmpty() && !oldFraction.isEmpty()) {
      throw new IllegalArgumentException(
          FRACTION + " and " + OLD_FRACTION + " exclude each other, expected only " + FRACTION);
    }
    XlaSettings settings = defaults();
    List<String> unknown = new ArrayList<>();
    for (Map.Entry<String, String> variable : values.entrySet()) {
      String value = variable.getValue();
      switch (variable.getKey()) {
        case PREALLOCATE ->
            settings =
                settings.withPreallocation(
                    !value.equals("false") && !value.equals("False") && !value.equals("0"));
        case FRACTION, OLD_FRACTION -> {
          if (!value.isEmpty()) {
            settings = settings.withMemoryFraction(fraction(variable.getKey(), value));
          }
        }
        case ALLOCATOR -> checkAllocator(value);
        case TENSORFLOW_ALLOCATOR -> {
          if (value.equals("cuda_malloc_async")) {
            throw new IllegalArgumentException(
                notSimulated(TENSORFLOW_ALLOCATOR, value) + ", expected settings without it");
          }
        }
        case UNIFIED_MEMORY -> {
          if (value.equalsIgnoreCase("true") || value.equals("1")) {
            throw new IllegalArgumentException(
                notSimulated(UNIFIED_MEMORY, value) + ", expected false");
          }
        }
        default -> unknown.add(variable.getKey());
      }
    }
    return new XlaSettings(settings.preallocates, settings.memoryFraction, List.copyOf(unknown));
  }

  /**
   * {@return true if a text assigns a variable that starts with XLA_ or TF_; settings of other
   * allocators do not}
   *
   * @param text the settings
   */
  public static boolean isAssignedIn(String text) {
    return ASSIGNMENT.matcher(text).find();
  }

  private static double fraction(String name, String value) {
    double fraction = NUMBER.matcher(value).matches() ? Double.parseDouble(value) : 0;
    if (!(fraction > 0 && fraction <= 1)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s is '%s', expected a number above 0 and at most 1, such as .75",
              name,
              value));
    }
    return fraction;
  }

  private static void checkAllocator(String value) {
    String name = value.toLowerCase(Locale.ROOT);
    if (!name.equals("default") && !name.equals("bfc")) {
      throw new IllegalArgumentException(
          (OTHER_ALLOCATORS.contains(name)
                  ? notSimulated(ALLOCATOR, value)
                  : String.format(Locale.ROOT, "%s is '%s'", ALLOCATOR, value))
              + ", expected default or bfc");
    }
  }

  private static String notSimulated(String name, String value) {
    return String.format(Locale.ROOT, "%s is '%s', which Stowage does not simulate", name, value);
  }

  /**
   * {@return these settings with or without preallocation}
   *
   * @param whole true for one region of the limit; false for regions that double
   */
  public XlaSettings withPreallocation(boolean whole) {
    return new XlaSettings(whole, memoryFraction, unknownNames);
  }

  /**
   * {@return these settings with another limit, with and without preallocation}
   *
   * @param fraction the share of the memory of the device
   * @throws IllegalArgumentException unless {@code 0 < fraction <= 1}
   */
  public XlaSettings withMemoryFraction(double fraction) {
    if (!(fraction > 0 && fraction <= 1)) {
      throw new IllegalArgumentException(
          "fraction must be above 0 and at most 1: fraction=" + fraction);
    }
    return new XlaSettings(preallocates, fraction, unknownNames);
  }

  /** {@return true if the first request takes one region of the limit} */
  public boolean preallocates() {
    return preallocates;
  }

  /** {@return the share of the memory of the device that the allocator may hold} */
  public double memoryFraction() {
    return memoryFraction;
  }

  /**
   * {@return the most bytes of all regions; a multiple of 2 MiB}
   *
   * @param deviceBytes the memory of the device
   */
  public long limitBytes(long deviceBytes) {
    long bytes = (long) (deviceBytes * memoryFraction);
    long whole = Math.min(bytes, Long.MAX_VALUE - LIMIT_UNIT) + LIMIT_UNIT - 1;
    return Math.max(whole - whole % LIMIT_UNIT, LIMIT_UNIT);
  }

  /**
   * {@return the rules of the allocator with these settings}
   *
   * @param deviceBytes the memory of the device; empty for any amount
   * @throws IllegalArgumentException if {@code deviceBytes} is empty and the settings preallocate
   */
  public AllocatorRules rules(OptionalLong deviceBytes) {
    if (preallocates && deviceBytes.isEmpty()) {
      throw new IllegalArgumentException(
          "preallocation takes a share of the memory of the device, which is not known");
    }
    return new XlaSettingsRules(
        preallocates,
        deviceBytes.isPresent()
            ? OptionalLong.of(limitBytes(deviceBytes.getAsLong()))
            : deviceBytes);
  }

  /**
   * {@return the rules of the allocator with these settings, but with a limit that is known}
   *
   * @param limitBytes the most bytes of all regions, instead of the fraction
   */
  public AllocatorRules rulesWithin(long limitBytes) {
    return new XlaSettingsRules(preallocates, OptionalLong.of(limitBytes));
  }

  /**
   * {@return the settings that have no effect on a device, each with the reason}
   *
   * @param deviceBytes the memory of the device, if it is known
   */
  public List<String> withoutEffect(OptionalLong deviceBytes) {
    List<String> notes = new ArrayList<>();
    if (memoryFraction != DEFAULT_FRACTION && deviceBytes.isEmpty()) {
      notes.add(FRACTION + " has no effect if the memory of the device is not known: add --limit");
    }
    unknownNames.forEach(name -> notes.add(PytorchSettings.withoutKnownEffect(name)));
    return notes;
  }

  /**
   * {@return the line of a shell that gives a program these settings, whatever it has now, with the
   * names that all versions of JAX know}
   */
  public String exportLine() {
    String settings = toString();
    if (settings.isEmpty()) {
      return String.join(" ", "unset", FRACTION, OLD_FRACTION, PREALLOCATE);
    }
    return "export "
        + settings.replace(FRACTION, OLD_FRACTION)
        + (preallocates ? " " + PREALLOCATE + "=true" : "");
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof XlaSettings that
        && preallocates == that.preallocates
        && memoryFraction == that.memoryFraction
        && unknownNames.equals(that.unknownNames);
  }

  @Override
  public int hashCode() {
    return Objects.hash(preallocates, memoryFraction, unknownNames);
  }

  /** {@return the settings that differ from the defaults, as assignments; "" if none does} */
  @Override
  public String toString() {
    List<String> parts = new ArrayList<>();
    if (memoryFraction != DEFAULT_FRACTION) {
      String digits = BigDecimal.valueOf(memoryFraction).stripTrailingZeros().toPlainString();
      parts.add(FRACTION + "=" + (digits.startsWith("0.") ? digits.substring(1) : digits));
    }
    if (!preallocates) {
      parts.add(PREALLOCATE + "=false");
    }
    return String.join(" ", parts);
  }
}
