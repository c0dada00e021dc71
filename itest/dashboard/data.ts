// Asks Prometheus for what a panel shows, as Grafana does.
import {
  createDataFrame, FieldType, rangeUtil, TIME_SERIES_TIME_FIELD_NAME, TIME_SERIES_VALUE_FIELD_NAME,
  type DataFrame, type TimeRange,
} from '@grafana/data';
import type { Query } from './board';

interface Series {
  metric: Record<string, string>;
  value?: [number, string];
  values?: Array<[number, string]>;
}

export interface Asked {
  range: TimeRange;
  scrape: string; // how often Prometheus scrapes, a setting of Grafana's data source
}

// ask returns the frames of a query for a panel that is as wide.
export async function ask(query: Query, width: number, { range, scrape }: Asked): Promise<DataFrame[]> {
  const step = rangeUtil.calculateInterval(range, width, scrape).intervalMs;
  const scrapeMs = rangeUtil.intervalToMs(scrape);
  const rate = Math.max(step + scrapeMs, 4 * scrapeMs);
  const expr = query.expr.replaceAll('$instance', '.*').replaceAll('$__rate_interval', `${rate}ms`);
  const aligned = (ms: number) => (Math.floor(ms / step) * step) / 1000;
  const parameters: Record<string, string> = query.instant
    ? { query: expr, time: String(range.to.valueOf() / 1000) }
    : { query: expr, start: String(aligned(range.from.valueOf())), end: String(aligned(range.to.valueOf())), step: String(step / 1000) };
  const response = await fetch(`api/v1/query${query.instant ? '' : '_range'}?${new URLSearchParams(parameters)}`);
  const answer = await response.json();
  if (answer.status !== 'success') {
    throw new Error(`${expr}: ${answer.error}`);
  }
  return (answer.data.result as Series[]).map((series) => frame(query, series, step));
}

function frame(query: Query, { metric, value, values = value ? [value] : [] }: Series, interval: number): DataFrame {
  return createDataFrame({
    refId: query.refId,
    fields: [
      { name: TIME_SERIES_TIME_FIELD_NAME, type: FieldType.time, values: values.map(([t]) => t * 1000), config: { interval } },
      {
        name: TIME_SERIES_VALUE_FIELD_NAME, type: FieldType.number, values: values.map(([, v]) => number(v)), labels: metric,
        config: { displayNameFromDS: name(query.legendFormat, metric) },
      },
    ],
  });
}

// number reads a value of Prometheus, which writes infinity as +Inf.
function number(text: string): number {
  return Number(text.replace('Inf', 'Infinity'));
}

// name puts labels into {{label}} of a query's legend.
function name(format: string, labels: Record<string, string>): string {
  return format.replace(/\{\{\s*(\w+)\s*\}\}/g, (_, label) => labels[label] ?? '');
}

