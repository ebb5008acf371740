package dev.stowage.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The heap that an allocator takes. */
class BfcAllocatorFootprintTest {

  private static final int MAX_BYTES_PER_CHUNK = 96;

  /**
   * {@return the bytes of all arrays and objects of this package that are reachable from an object}
   */
  private static long heapBytes(Object start) throws IllegalAccessException {
    Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Deque<Object> left = new ArrayDeque<>(List.of(start));
    long bytes = 0;
    while (!left.isEmpty()) {
      Object object = left.remove();
      if (!seen.add(object)) {
        continue;
      }
      Class<?> type = object.getClass();
      bytes += 16;
      if (type.isArray()) {
        bytes += Array.getLength(object) * (long) elementBytes(type.getComponentType());
        if (object instanceof Object[] elements) {
          for (Object element : elements) {
            addIfOurs(element, left);
          }
        }
      } else {
        for (Field field : fields(type)) {
          bytes += 8;
          field.setAccessible(true);
          addIfOurs(field.get(object), left);
        }
      }
    }
    return bytes;
  }

  /** {@return the fields of the objects of a class, also those of its superclasses} */
  private static List<Field> fields(Class<?> type) {
    return Stream.<Class<?>>iterate(type, each -> each != Object.class, Class::getSuperclass)
        .flatMap(each -> Stream.of(each.getDeclaredFields()))
        .filter(field -> !Modifier.isStatic(field.getModifiers()))
        .toList();
  }

  private static void addIfOurs(
      @org.jspecify.annotations.Nullable Object object, Deque<Object> left) {
    if (object != null
        && !(object instanceof Enum<?>)
        && (object.getClass().isArray()
            || object.getClass().getPackage() == BfcAllocator.class.getPackage())) {
      left.add(object);
    }
  }

  private static int elementBytes(Class<?> type) {
    return type == long.class || type == double.class
        ? 8
        : type == byte.class || type == boolean.class ? 1 : 4;
  }

  @Test
  void pool_of140Gibibytes_takesKilobytesUntilItIsUsed() throws IllegalAccessException {
    BfcAllocator pool =
        new BfcAllocator("gpu", ScriptedRegions.ascending(), BfcOptions.oneRegion(140L << 30));
    pool.allocate(1);
    assertThat(pool.statistics().reservedBytes()).isEqualTo(140L << 30);
    assertThat(heapBytes(pool)).isBetween(10_000L, 100_000L);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 1000})
  void chunks_200Thousand_takeAtMost96BytesEach(int distinctSizes) throws IllegalAccessException {
    BfcAllocator pool =
        new BfcAllocator(
            "gpu",
            ScriptedRegions.ascending(),
            BfcOptions.oneRegion(140L << 30).withSplitThreshold(1));
    List<Long> addresses = new ArrayList<>();
    for (int i = 0; i < 200_000; i++) {
      addresses.add(pool.allocate(256L * (1 + i % distinctSizes)));
    }
    assertThat(heapBytes(pool) / 200_000).isBetween(40L, (long) MAX_BYTES_PER_CHUNK);
    for (int i = 0; i < 200_000; i += 2) {
      pool.free(addresses.get(i));
    }
    assertThat(pool.report().bins().stream().mapToLong(AllocatorReport.Bin::freeChunks).sum())
        .isEqualTo(100_001);
    assertThat(heapBytes(pool) / 200_000).isBetween(40L, (long) MAX_BYTES_PER_CHUNK);
  }

  @Test
  void chunks_chargedToABudgetUnderOneTag_takeNoMore() throws IllegalAccessException {
    BfcAllocator pool =
        new BfcAllocator("gpu", ScriptedRegions.ascending(), BfcOptions.oneRegion(140L << 30));
    AllocationBudget budget = AllocationBudget.root("job", pool, Long.MAX_VALUE);
    AllocationTag.of("weights")
        .run(() -> {
          for (int i = 0; i < 200_000; i++) {
            budget.allocate(1);
          }
        });
    assertThat(heapBytes(pool) / 200_000).isBetween(40L, (long) MAX_BYTES_PER_CHUNK);
  }
}
