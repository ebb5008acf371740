package dev.stowage.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.pages.PairedBars.Pair;
import java.util.List;
import org.junit.jupiter.api.Test;

class PairedBarsTest {

  @Test
  void markup_ofPairs_hasLengthsByTheLargestOfAll() {
    String markup =
        new PairedBars(
                "old",
                "new",
                List.of(new Pair("a <b>", 512, 1024, "+1"), new Pair("c", 0, 256, "")))
            .markup();
    assertThat(markup)
        .contains("<span>a &lt;b&gt;</span><span>+1</span>")
        .contains(
            "<i style=\"width:max(1px,50.000%);background:var(--blue3)\" title=\"old: 512 bytes\">")
        .contains("width:max(1px,100.000%)")
        .contains("width:max(0px,0.000%)")
        .contains("width:max(1px,25.000%)")
        .contains("lower bar: new");
  }
}
