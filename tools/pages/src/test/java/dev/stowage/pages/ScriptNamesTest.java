package dev.stowage.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The scripts of each kind of pages use only names that this kind of pages has. */
final class ScriptNamesTest {

  /** The names of browsers. */
  private static final Set<String> GLOBALS =
      Set.of(
          ("addEventListener Array atob BigInt Blob cancelAnimationFrame clearTimeout "
                  + "DecompressionStream document DOMMatrix encodeURIComponent Float64Array "
                  + "getComputedStyle history Infinity innerHeight innerWidth Int32Array Intl "
                  + "JSON location Map matchMedia Math NaN navigator Number Object Option "
                  + "parseFloat Path2D Promise RegExp requestAnimationFrame ResizeObserver Response Set "
                  + "setTimeout String TextDecoder Uint16Array Uint32Array Uint8Array "
                  + "URLSearchParams window")
              .split(" "));

  private static List<ScriptNames> read(List<String> scripts) throws IOException {
    List<ScriptNames> read = new ArrayList<>();
    for (String script : scripts) {
      read.add(new ScriptNames(PictureText.of(script)));
    }
    return read;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void page_withAndWithoutAMap_declaresAllNames(boolean hasMap) throws IOException {
    List<String> scripts = Page.scripts(hasMap).toList();
    List<ScriptNames> read = read(scripts);
    Set<String> known = new HashSet<>(GLOBALS);
    read.forEach(script -> known.addAll(script.topLevel()));
    Map<String, Set<String>> unknown = new TreeMap<>();
    for (int i = 0; i < scripts.size(); i++) {
      for (String name : read.get(i).undeclared()) {
        if (!known.contains(name)) {
          unknown.computeIfAbsent(scripts.get(i), _ -> new TreeSet<>()).add(name);
        }
      }
    }
    assertThat(unknown).isEmpty();
  }

  @Test
  void undeclared_ofAScript_areTheNamesOfOthers() {
    ScriptNames names =
        new ScriptNames(
            """
            /* not "this */
            const { a, key: b } = other.property, [c] = [/["`]/.test(`${far} ${`${near}`}`)];
            const f = async ({ d = first }, ...rest) => d ? { b, e: rest } : { g() { return c / a; } };
            function named(one) { try { two(one); } catch (error) { for (const each of one) each?.x; } }
            """);

    assertThat(names.undeclared()).containsExactly("far", "near", "other", "two");
    assertThat(names.topLevel()).containsExactly("a", "b", "c", "f", "key", "named");
  }
}
