/** `config`: lists the settings, or prints those in force. */

import { type Settings, variablesOf } from '../../config.ts';
import { columns, defineCommand } from '../args.ts';
import { maskedSettings, SETTING_LINES, settingOptions, settingsOf } from '../settings.ts';

export const command = defineCommand({
  name: 'config',
  summary: 'lists the settings; with --print, shows what is in force',
  options: {
    ...settingOptions(),
    print: { type: 'boolean', help: 'print the settings in force as JSON, secrets masked' },
  },
  examples: [
    ['config --print', 'what is in force here, by file, environment and flags'],
    ['config --config club.json --print', 'the same with another settings file'],
  ],
  run: async (values, _positionals, io) => {
    const settings = await settingsOf(values, io);
    const text = values.print ? `${JSON.stringify(await printed(settings), undefined, 2)}\n` : listed();
    await io.stdout(text);
    return 0;
  },
});

/** The settings with the colours that pages derive from the accent. */
async function printed(settings: Settings): Promise<object> {
  const { accent } = settings.brand;
  if (accent === undefined) return maskedSettings(settings);
  const { themeOf } = await import('../../server/index.ts');
  return { ...maskedSettings(settings), brand: { ...settings.brand, colours: themeOf(accent) } };
}

function listed(): string {
  return SETTING_LINES.map(([key, line]) => {
    const from = [...variablesOf(key), ...(line.flag === undefined ? [] : [`--${line.flag}`])].join(', ');
    const rows: [string, string][] = [
      ['what', line.help],
      ['allowed', line.allowed],
      ['default', line.default === undefined ? 'none' : JSON.stringify(line.default)],
      ['also from', from],
    ];
    return `${key}\n${columns(rows)}`;
  }).join('\n');
}
