package dev.stowage.cli.input;

import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The allocations of a program. */
final class XlaBuffers {

  /*
   *   BufferAssignment:
   *   allocation 0: size 64, page 0, parameter 0, shape |f32[16]| at ShapeIndex {}:
   *    value: <1 x @0> (size=64,offset=0): f32[16]{0}
   *   allocation 1: size 1280, page 0, preallocated-temp:
   *    value: <3 loop{0} (phi) @0> (size=1000,offset=0): f32[250]{0}
   *
   * A program has an allocation of temporaries for each of its memories. Allocations of one thread are registers.
   * Other lines can follow an empty line.
   */

  /**
   * An allocation of temporaries.
   *
   * @param name the name in the file
   */
  record Temporaries(String name, long bytes, List<XlaValue> values) {}

  private static final String FIRST_LINE = "BufferAssignment:";
  private static final String TEMPORARY = "preallocated-temp:";
  private static final String OF_THREAD = "thread-local:";
  private static final Pattern ALLOCATION =
      Pattern.compile("(allocation \\d+): size (\\d+)(?:,.*)?:");
  private static final Pattern VALUE =
      Pattern.compile(
          " value: <\\d+ (\\S+?)(?: \\(phi\\))? @\\d+> \\(size=(\\d+),offset=(\\d+)\\).*");

  private final XlaLines lines;
  private final Set<String> keys = new HashSet<>();
  private final List<Temporaries> temporaries = new ArrayList<>();
  private long otherBytes;

  private XlaBuffers(XlaLines lines) {
    this.lines = lines;
  }

  /**
   * {@return the allocations of a file}
   *
   * @throws MalformedFileException if the file violates its format
   */
  static XlaBuffers read(XlaLines lines) throws IOException {
    XlaBuffers buffers = new XlaBuffers(lines);
    buffers.read();
    return buffers;
  }

  /** {@return the largest allocation of temporaries, if there is one} */
  Optional<Temporaries> largest() {
    return temporaries.stream().reduce((one, other) -> other.bytes() > one.bytes() ? other : one);
  }

  /** {@return the number of allocations of temporaries} */
  int temporariesCount() {
    return temporaries.size();
  }

  /** {@return the bytes of all allocations but the largest one of temporaries} */
  long otherBytes() {
    return otherBytes
        + temporaries.stream().mapToLong(Temporaries::bytes).sum()
        - largest().map(Temporaries::bytes).orElse(0L);
  }

  /** {@return true if a value is in an allocation} */
  boolean has(String key) {
    return keys.contains(key);
  }

  private void read() throws IOException {
    if (!lines.next().orElse("").startsWith(FIRST_LINE)) {
      throw lines.fileError(
          "is no list of buffers, expected '" + FIRST_LINE + "' in the first line");
    }
    boolean isTemporary = false;
    long sum = 0;
    for (Optional<String> line = lines.next();
        line.filter(text -> !text.isBlank()).isPresent();
        line = lines.next()) {
      Matcher allocation = ALLOCATION.matcher(line.get());
      if (allocation.matches()) {
        long bytes = lines.number(allocation.group(2));
        if (bytes > Long.MAX_VALUE - sum) {
          throw lines.error("brings the sum of all allocations above 2^63 - 1 bytes");
        }
        sum += bytes;
        isTemporary = line.get().endsWith(TEMPORARY);
        if (isTemporary) {
          temporaries.add(new Temporaries(allocation.group(1), bytes, new ArrayList<>()));
        } else if (!line.get().endsWith(OF_THREAD)) {
          otherBytes += bytes;
        }
      } else {
        XlaValue value = value(line.get());
        boolean isNew = keys.add(value.key());
        if (isTemporary && !isNew) {
          throw lines.error("value " + value.excerpt() + " occurs twice, expected once");
        }
        if (isTemporary) {
          addTemporary(value);
        }
      }
    }
  }

  private XlaValue value(String line) throws MalformedFileException {
    Matcher value = VALUE.matcher(line);
    if (!value.matches()) {
      throw lines.error(
          "expected 'allocation NUMBER: size BYTES, …:' or a value '<ID NAME @0> (size=BYTES,offset=BYTES)'; the file may be cut short");
    }
    return new XlaValue(value.group(1), lines.number(value.group(2)), lines.number(value.group(3)));
  }

  private void addTemporary(XlaValue value) throws MalformedFileException {
    Temporaries allocation = temporaries.getLast();
    if (value.bytes() > allocation.bytes() - value.offset()) {
      throw lines.error(
          "value "
              + value.excerpt()
              + " ends beyond its allocation, which has "
              + allocation.bytes()
              + " bytes");
    }
    allocation.values().add(value);
  }
}
