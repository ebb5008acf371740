package dev.stowage.trace.pytorch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;

final class PickleMemoTest {

  private static PickleMemo memo(Object... opcodes) throws IOException {
    byte[] bytes = PickleWriter.raw(opcodes);
    return PickleMemo.of(new PickleInput(new ByteArrayInputStream(bytes), bytes.length));
  }

  @Test
  void take_valueThatThePickleTakesTwice_isKeptUntilTheSecondTime() throws IOException {
    PickleMemo memo = memo('N', 0x94, 'N', 0x94, 'N', 0x94, 'h', 2, 'j', 2, 0, 0, 0, 'h', 0, '.');
    memo.add("a");
    memo.add("b");
    memo.add("c");

    assertThat(memo.take(0)).isEqualTo("a");
    assertThat(memo.take(0)).isNull();
    assertThat(memo.take(1)).isNull();
    assertThat(memo.take(2)).isEqualTo("c");
    assertThat(memo.take(2)).isEqualTo("c");
    assertThat(memo.take(2)).isNull();
    assertThat(memo.take(1L << 32)).isNull();
  }

  @Test
  void take_valueThatThePickleTakesManyTimes_isKept() throws IOException {
    StringBuilder opcodes = new StringBuilder("N");
    opcodes.append("h\0".repeat(300));
    PickleMemo memo = memo(opcodes.toString());
    memo.put(0, "a");

    for (int i = 0; i < 400; i++) {
      assertThat(memo.take(0)).isEqualTo("a");
    }
    memo.put(0, "b");
    assertThat(memo.take(0)).isEqualTo("b");
  }

  @Test
  void of_pickleThatEndsEarly_countsWhatItHas() throws IOException {
    PickleMemo memo = memo('N', 0x94, 'h', 0, 'X', 255, 255);
    memo.add("a");

    assertThat(memo.take(0)).isEqualTo("a");
  }
}
