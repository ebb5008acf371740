package dev.stowage.process;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The output of {@code VM.native_memory} in any unit, whole or cut, with or without differences to
 * a baseline. Its bytes are committed, and need not be resident.
 */
public final class NativeTracking {

  /*
   * Each amount is rounded to the unit, and lines may have lost their blanks and dashes. The lists
   * after the summary repeat its bytes by address and by caller.
   */

  private static final String AMOUNT = "(\\d{1,15})([KMG]?)B?(?: ([+-]\\d{1,15})[KMG]?B?)?";

  private static final Pattern RESERVED =
      pattern("(?:- ?)?([^(\\[]+?)(?:: | ?\\()reserved=@(?:, committed=@)?.*");
  private static final Pattern MALLOC = pattern("\\(?(malloc|arena)[=:] ?@.*");
  private static final Pattern MMAP = pattern("\\((mmap|stack): reserved=@, committed=@.*");
  private static final Pattern FREE = pattern("\\( ?free=@.*");

  /**
   * A purpose of the virtual machine.
   *
   * @param name as the virtual machine prints it, such as {@code Java Heap}
   * @param reserved its addresses
   * @param committed its memory; empty if the text is cut before it
   * @param mallocBytes the requests to the C library; empty if it has none
   * @param mmapBytes the committed bytes of mappings, other than stacks
   * @param freeBytes the free bytes in it, of the metaspace on older virtual machines
   * @param hasStacks true if all addresses of stacks count as committed, so the memory of stacks is
   *     unknown
   */
  public record Purpose(
      String name,
      Amount reserved,
      Amount committed,
      OptionalLong mallocBytes,
      OptionalLong mmapBytes,
      long freeBytes,
      boolean hasStacks) {}

  /**
   * An amount.
   *
   * @param bytes the bytes, rounded to the unit of the text
   * @param growthBytes the growth since the baseline
   * @param isKnown false if the text is cut before it
   */
  public record Amount(long bytes, long growthBytes, boolean isKnown) {}

  private static final Amount NONE = new Amount(0, 0, false);

  private final List<Purpose> purposes = new ArrayList<>();
  private Purpose total =
      new Purpose("Total", NONE, NONE, OptionalLong.empty(), OptionalLong.empty(), 0, false);
  private boolean isDifference;

  /** The purpose that the current lines describe. */
  private String name = "";

  private Amount reserved = NONE;
  private Amount committed = NONE;
  private OptionalLong malloc = OptionalLong.empty();
  private OptionalLong mmap = OptionalLong.empty();
  private long free;
  private boolean hasStacks;

  private NativeTracking() {}

  /**
   * {@return the last output in a text; without purposes if there is none}
   *
   * @param text a text with output of {@code jcmd VM.native_memory}
   */
  public static NativeTracking of(String text) {
    NativeTracking tracking = new NativeTracking();
    boolean isSummary = true;
    for (String line : (Iterable<String>) text.lines()::iterator) {
      String words = line.strip().replaceAll("\\s+", " ");
      isSummary = words.startsWith("Total: reserved=") || isSummary;
      isSummary = isSummary && !words.equals("Virtual memory map:") && !words.equals("Details:");
      if (isSummary) {
        tracking.read(words);
      }
    }
    tracking.end();
    return tracking;
  }

  private void read(String words) {
    Matcher first = RESERVED.matcher(words);
    Matcher requests = MALLOC.matcher(words);
    Matcher mappings = MMAP.matcher(words);
    Matcher unused = FREE.matcher(words);
    if (!words.startsWith("(") && !words.startsWith("mmap:") && first.matches()) {
      end();
      name = first.group(1).strip();
      reserved = amount(first, 2);
      committed = amount(first, 5);
      isDifference |= first.group(4) != null || first.group(7) != null;
    } else if (requests.matches()) {
      malloc = OptionalLong.of(malloc.orElse(0) + amount(requests, 2).bytes());
    } else if (mappings.matches() && mappings.group(1).equals("mmap")) {
      mmap = OptionalLong.of(amount(mappings, 5).bytes());
    } else if (mappings.matches()) {
      hasStacks =
          amount(mappings, 5).bytes() > 0 && amount(mappings, 5).equals(amount(mappings, 2));
    } else if (unused.matches()) {
      free += amount(unused, 1).bytes();
    }
  }

  private void end() {
    Purpose purpose = new Purpose(name, reserved, committed, malloc, mmap, free, hasStacks);
    if (name.equals("Total")) {
      purposes.clear();
      total = purpose;
    } else if (!name.isEmpty()) {
      purposes.add(purpose);
    }
    malloc = OptionalLong.empty();
    mmap = OptionalLong.empty();
    free = 0;
    hasStacks = false;
  }

  private static Pattern pattern(String words) {
    return Pattern.compile(words.replace("@", AMOUNT));
  }

  private static Amount amount(Matcher line, int group) {
    String digits = line.group(group);
    if (digits == null) {
      return NONE;
    }
    String unit = line.group(group + 1);
    int shift = unit.isEmpty() ? 0 : 10 * (1 + "KMG".indexOf(unit));
    String growth = line.group(group + 2);
    return new Amount(
        Long.parseLong(digits) << shift,
        growth == null ? 0 : Long.parseLong(growth) << shift,
        true);
  }

  /** {@return the sum as the virtual machine prints it; its amounts are unknown without a text} */
  public Purpose total() {
    return total;
  }

  /** {@return the purposes, in the order of the text} */
  public List<Purpose> purposes() {
    return List.copyOf(purposes);
  }

  /** {@return true if the text has a growth since a baseline} */
  public boolean isDifference() {
    return isDifference;
  }

  /** {@return the addresses that the Java heap reserves; 0 if they are not known} */
  long heapBytes() {
    return purposes.stream()
        .filter(purpose -> purpose.name().equals("Java Heap"))
        .mapToLong(purpose -> purpose.reserved().bytes())
        .findFirst()
        .orElse(0);
  }
}
