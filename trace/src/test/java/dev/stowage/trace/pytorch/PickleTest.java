package dev.stowage.trace.pytorch;

import static dev.stowage.trace.pytorch.PickleWriter.raw;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class PickleTest {

  private static final String REMEDY =
      "; copy the whole file, or let the program finish writing it";

  /** {@return the value of a pickle, with dicts and lists as those of Java} */
  private static Object value(Object... parts) throws IOException {
    List<Object> all = new ArrayList<>(List.of(0x80, 4));
    all.addAll(List.of(parts));
    PickleSource source = new PickleSource.OfBytes(raw(all.toArray()));
    return plain(Pickle.read("t", source, PickleList::add));
  }

  private static Object plain(Object value) {
    if (value instanceof PickleDict dict) {
      Map<Object, Object> map = new HashMap<>();
      for (int i = 0; i < dict.count(); i++) {
        map.put(dict.key(i), plain(dict.value(i)));
      }
      return map;
    }
    if (value instanceof PickleList list) {
      List<Object> items = new ArrayList<>();
      for (int i = 0; i < list.count(); i++) {
        items.add(plain(list.get(i)));
      }
      return items;
    }
    return value;
  }

  private static void assertRefused(String problem, Object... parts) {
    assertThatThrownBy(() -> value(parts))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage("t: " + problem);
  }

  @Test
  void pickle_everyKindOfValue_isRead() throws IOException {
    assertThat(value('N', '.')).isEqualTo(Pickle.None.NONE);
    assertThat(value(0x88, '.')).isEqualTo(true);
    assertThat(value(0x89, '.')).isEqualTo(false);
    assertThat(value('K', 200, '.')).isEqualTo(200L);
    assertThat(value('M', 0, 255, '.')).isEqualTo(65280L);
    assertThat(value('J', 254, 255, 255, 255, '.')).isEqualTo(-2L);
    assertThat(value('G', 63, 248, 0, 0, 0, 0, 0, 0, '.')).isEqualTo(1.5);
    assertThat(value(0x8a, 0, '.')).isEqualTo(0L);
    assertThat(value(0x8a, 2, 0, 1, '.')).isEqualTo(256L);
    assertThat(value(0x8a, 9, 0, 0, 0, 0, 0, 0, 0, 128, 0, '.'))
        .isEqualTo(BigInteger.ONE.shiftLeft(63));
    assertThat(value('X', 2, 0, 0, 0, "hi", '.')).isEqualTo("hi");
    assertThat(value('(', 'K', 1, 'K', 2, 'l', '.')).isEqualTo(List.of(1L, 2L));
    assertThat(value('(', 'K', 1, 'K', 2, 'd', '.')).isEqualTo(Map.of(1L, 2L));
    assertThat(value('}', 'K', 1, 'K', 2, 's', '.')).isEqualTo(Map.of(1L, 2L));
    assertThat(value('(', 'K', 1, 't', '.')).isEqualTo(new Pickle.Tuple(List.of(1L)));
    assertThat(value('K', 1, 'K', 2, 0x86, '.')).isEqualTo(new Pickle.Tuple(List.of(1L, 2L)));
    assertThat(value(']', 'K', 7, 'q', 5, 'a', 'h', 5, 'a', '.')).isEqualTo(List.of(7L, 7L));
  }

  @Test
  void pickle_anyOtherThanPlainValues_isRefused() {
    String only = "; only dict, list, tuple, string, number, bool and None are read";
    assertRefused("byte 2: has opcode GLOBAL of class 'os.system'" + only, "cos\nsystem\n", '.');
    assertRefused(
        "byte 10: has opcode STACK_GLOBAL of class 'os.sy'" + only,
        0x8c,
        2,
        "os",
        0x8c,
        2,
        "sy",
        0x93,
        '.');
    assertRefused("byte 4: has opcode REDUCE" + only, ')', ')', 'R', '.');
    assertRefused("byte 2: has opcode 0x49, which plain values do not need", "I1\n");
    assertRefused("byte 2: is of pickle protocol 6, expected 2 to 5", 0x80, 6);
  }

  @Test
  void pickle_damaged_isRefused() {
    assertRefused("byte 2: the pickle is cut short: expected 1 more bytes, found 0" + REMEDY);
    assertRefused(
        "byte 2: the pickle is cut short: expected 4294967295 more bytes, found 1" + REMEDY,
        'X',
        255,
        255,
        255,
        255,
        'a');
    assertRefused(
        "byte 2: the pickle is cut short: expected 18446744073709551615 more bytes, found 1"
            + REMEDY,
        0x95,
        255,
        255,
        255,
        255,
        255,
        255,
        255,
        255,
        '.');
    assertRefused("byte 2: the pickle ends with 0 values, expected 1", '.');
    assertRefused("byte 3: the pickle ends here, but 1 bytes follow", 'N', '.', '.');
    assertRefused("byte 2: a string is not UTF-8", 0x8c, 1, 255, '.');
    assertRefused("byte 5: sets an item of a value that is not a dict", 'N', 'N', 'N', 's');
    assertRefused(
        "byte 5: sets the items of a dict from 1 values, so that a key has no value",
        '}',
        '(',
        'N',
        'u');
    assertRefused("byte 5: a key of a dict must not be a list or a dict", '}', ']', 'N', 's');
    assertRefused("byte 5: a key of a dict must not be a list or a dict", '}', '}', 'N', 's');
    assertRefused("byte 4: appends to a value that is not a list", ')', 'N', 'a');
    assertRefused("byte 2: takes value 1 of the memo, which does not exist", 'h', 1);
    assertRefused("byte 2: takes the values after a mark, but there is no mark", 't');
    assertRefused("byte 4: takes 1 values, but there are 0", ']', '(', 0x94);
  }
}
