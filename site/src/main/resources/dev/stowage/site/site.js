'use strict';

// The menu is open on wide windows.
const menu = document.querySelector('.menu');
const wide = window.matchMedia('(min-width: 801px)');
const openMenu = () => {
  menu.open = wide.matches;
};
openMenu();
wide.addEventListener('change', openMenu);

// The index is made at the first search, from the sections of search.js.
const root = document.body.dataset.root;
const words = document.getElementById('words');
const results = document.getElementById('results');
const LIMIT = 12;
let index;

function makeIndex() {
  return lunr(function () {
    this.ref('id');
    this.field('heading', {boost: 8});
    this.field('page', {boost: 4});
    this.field('text');
    // Options such as --node-limit are found as they are written, and by their words.
    this.tokenizer.separator = /[\s,.;:()[\]{}"'`|/=]+/;
    sections.forEach((section, id) => this.add({id, ...section}));
  });
}

function find(text) {
  // As the index, without the hyphens of an option.
  const terms = text.toLowerCase().split(/[\s,.;:()[\]{}"'`|/=]+/)
    .map(term => term.replace(/^\W+|\W+$/g, ''))
    .filter(term => term.length > 1);
  return index.query(query => {
    for (const term of terms) {
      query.term(term, {boost: 10});
      query.term(term, {boost: 3, wildcard: lunr.Query.wildcard.TRAILING, usePipeline: false});
      query.term(term, {boost: 1, wildcard: lunr.Query.wildcard.LEADING | lunr.Query.wildcard.TRAILING, usePipeline: false});
    }
  });
}

function excerpt(text, word) {
  const at = Math.max(0, text.toLowerCase().indexOf(word.toLowerCase()) - 60);
  return (at > 0 ? '… ' : '') + text.slice(at, at + 180) + (text.length > at + 180 ? ' …' : '');
}

function show() {
  const text = words.value.trim();
  results.replaceChildren();
  results.hidden = text.length < 2;
  if (results.hidden) {
    return;
  }
  index ??= makeIndex();
  const found = find(text).slice(0, LIMIT);
  if (found.length === 0) {
    results.textContent = 'Nothing contains these words.';
  }
  for (const hit of found) {
    const section = sections[Number(hit.ref)];
    const link = document.createElement('a');
    link.href = root + section.href;
    link.textContent = section.heading === section.page ? section.page : section.page + ' › ' + section.heading;
    const line = document.createElement('p');
    line.textContent = excerpt(section.text, text.split(/\s+/)[0]);
    results.append(link, line);
  }
}

words.addEventListener('input', show);
document.getElementById('search').addEventListener('submit', event => {
  event.preventDefault();
  show();
});
document.addEventListener('keydown', event => {
  if (event.key === 'Escape') {
    words.value = '';
    show();
  }
  if (event.key === '/' && document.activeElement !== words) {
    event.preventDefault();
    words.focus();
  }
});
