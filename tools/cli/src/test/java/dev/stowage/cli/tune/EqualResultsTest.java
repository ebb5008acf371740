package dev.stowage.cli.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class EqualResultsTest {

  @Test
  void of_anyOrder_keepsThatOfTheFirstResults() {
    List<EqualResults<String>> groups =
        EqualResults.of(List.of("b1", "a1", "b2", "c1", "a2", "b3"), text -> text.charAt(0));

    assertThat(groups.stream().map(EqualResults::simplest)).containsExactly("b1", "a1", "c1");
    assertThat(groups.stream().map(EqualResults::others))
        .containsExactly(List.of("b2", "b3"), List.of("a2"), List.of());
  }
}
